import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconBellOff, IconChecks, IconClearAll, IconSettings } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import { NotificationList } from './notification-list.tsx';
import type { NotificationsSearch } from './notifications-search.ts';
import styles from './notifications-screen.module.css';
import { PreferencesDialog } from './preferences-dialog.tsx';
import { useInboxActions } from './use-inbox-actions.tsx';
import { useInbox, useUnreadCount } from './use-notifications.ts';

const route = getRouteApi('/signed-in/shell/notifications');
const defaultSize = 10;
const failed = t`Failed to load notifications`;

/** Screen /notifications: the user's notifications, newest first. The address holds the filter. */
export function NotificationsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { page = 0, size = defaultSize, filter } = search;
  const inbox = useInbox({ page, size, filter });
  const actions = useInboxActions();
  const change = (next: NotificationsSearch, replace = false) =>
    void navigate({ to: '/notifications', search: { ...search, ...next }, replace });
  useLastPageFallback(inbox.data, (last) => change({ page: last || undefined }, true));
  const { data, error } = inbox;
  const steady = useSteadyList({
    items: data?.content,
    at: inbox.dataUpdatedAt,
    to: inbox.isPlaceholderData ? undefined : JSON.stringify(search),
  });

  return (
    <>
      <Head filter={filter} actions={actions} onFilter={(next) => change({ filter: next, page: undefined })} />
      <OutdatedList label={t`notifications`} result={inbox} failed={failed} />
      <div className={styles.inbox} {...steady.pointing}>
        {inbox.isPending && (
          <div className={styles.loading}>
            <Skeleton lines={8} label={t`Loading notifications`} />
          </div>
        )}
        {inbox.isLoadingError && <ErrorState failed={failed} error={error} onRetry={() => void inbox.refetch()} />}
        {data?.totalElements === 0 && <Nothing isFiltered={filter === 'unread'} />}
        {steady.items && (
          <NotificationList items={steady.items} actions={actions} isRefreshing={inbox.isPlaceholderData} />
        )}
      </div>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={change} />}
    </>
  );
}

type HeadProps = {
  filter: NotificationsSearch['filter'];
  onFilter: (filter: NotificationsSearch['filter']) => void;
  actions: ReturnType<typeof useInboxActions>;
};

/** Shows the title, the counts and the actions on all notifications. */
function Head({ filter, onFilter, actions }: HeadProps) {
  const unread = useUnreadCount();
  const all = useInbox({ size: 1 }).data;
  const newest = all?.content[0];
  const [isChoosing, setChoosing] = useState(false);
  return (
    <div className={styles.head}>
      <ScreenTitle
        title={t`Notifications`}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconChecks size={16} aria-hidden />}
              disabled={!unread}
              onClick={() => actions.markAllRead(newest)}
            >
              {t`Mark all read`}
            </Button>
            <Button
              variant="default"
              leftSection={<IconClearAll size={16} aria-hidden />}
              disabled={!newest}
              onClick={() => void actions.clearAll(newest, all?.totalElements ?? 0, unread ?? 0)}
            >
              {t`Clear all`}
            </Button>
            <Button
              variant="default"
              leftSection={<IconSettings size={16} aria-hidden />}
              onClick={() => setChoosing(true)}
            >
              {t`Preferences`}
            </Button>
          </>
        }
      >
        <ViewTabs
          label={t`Show`}
          current={filter ?? 'all'}
          views={[
            { value: 'all', label: t`All`, count: all && { total: all.totalElements } },
            { value: 'unread', label: t`Unread`, count: unread === undefined ? undefined : { total: unread } },
          ]}
          onView={(view) => onFilter(view === 'all' ? undefined : view)}
        />
      </ScreenTitle>
      <PreferencesDialog opened={isChoosing} onClose={() => setChoosing(false)} />
    </div>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconBellOff}
      title={isFiltered ? t`No unread notifications` : t`No notifications`}
      detail={
        isFiltered
          ? t`You have read all notifications.`
          : t`Your assignments, reviews, critical findings, mentions and imports appear here.`
      }
    />
  );
}
