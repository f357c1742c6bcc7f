import { t } from '@lingui/core/macro';
import { IconCalendarCheck, IconLayoutGrid, IconRoute, IconChartBar, IconEyeCheck } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { criticalFindingsSearch } from '#reading/critical-findings/critical-findings-search.ts';
import { followUpsSearch } from '#reading/follow-ups/follow-ups-search.ts';
import { figuresSearch, peerReviewsSearch } from '#reading/peer-reviews/peer-reviews-search.ts';
import { hangingRulesSearch } from '#reading/viewer/hanging-rules/hanging-rules-search.ts';
import { reportsSearch } from '#reading/reports/list/reports-search.ts';
import { templatesSearch } from '#reading/templates/list/templates-search.ts';
import { shell } from './route-frames.tsx';

/** Screens of reading and reporting, with a sidebar. */
export const readingScreens = [
  createRoute({
    getParentRoute: () => shell,
    path: '/critical-findings',
    staticData: { can: 'report.view', title: t`Critical findings` },
    validateSearch: criticalFindingsSearch,
    component: lazyRouteComponent(
      () => import('#reading/critical-findings/critical-findings-screen.tsx'),
      'CriticalFindingsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/follow-ups',
    staticData: {
      can: 'report.view',
      title: t`Follow-ups`,
      entry: {
        group: 'screens',
        label: t`Follow-ups`,
        icon: IconCalendarCheck,
        keywords: t`recommendation overdue reminder recall`,
      },
    },
    validateSearch: followUpsSearch,
    component: lazyRouteComponent(() => import('#reading/follow-ups/follow-ups-screen.tsx'), 'FollowUpsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/peer-reviews',
    staticData: {
      can: 'report.edit',
      title: t`Peer reviews`,
      entry: {
        group: 'screens',
        label: t`Peer reviews`,
        icon: IconEyeCheck,
        keywords: t`quality feedback score`,
      },
    },
    validateSearch: peerReviewsSearch,
    component: lazyRouteComponent(() => import('#reading/peer-reviews/peer-reviews-screen.tsx'), 'PeerReviewsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/assignment-rules',
    staticData: {
      can: 'config.manage',
      title: t`Assignment rules`,
      entry: {
        group: 'tools',
        label: t`Assignment rules`,
        icon: IconRoute,
        can: 'config.manage',
        keywords: t`assign automatic shift load worklist`,
      },
    },
    component: lazyRouteComponent(
      () => import('#reading/assignment-rules/assignment-rules-screen.tsx'),
      'AssignmentRulesScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/peer-review-figures',
    staticData: {
      can: 'config.manage',
      title: t`Peer review figures`,
      entry: { group: 'tools', label: t`Peer review figures`, icon: IconChartBar, can: 'config.manage' },
    },
    validateSearch: figuresSearch,
    component: lazyRouteComponent(
      () => import('#reading/peer-reviews/peer-review-figures-screen.tsx'),
      'PeerReviewFiguresScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports',
    staticData: { can: 'report.view', title: t`Reports` },
    validateSearch: reportsSearch,
    component: lazyRouteComponent(() => import('#app/pages/reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/templates',
    staticData: { can: 'template.manage', title: t`Templates Management` },
    validateSearch: templatesSearch,
    component: lazyRouteComponent(() => import('#reading/templates/list/templates-screen.tsx'), 'TemplatesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/hanging-rules',
    staticData: {
      can: 'study.view',
      title: t`Hanging rules`,
      entry: {
        group: 'screens',
        label: t`Hanging rules`,
        icon: IconLayoutGrid,
        can: 'study.view',
        keywords: t`layout viewports protocol prior monitors`,
      },
    },
    validateSearch: hangingRulesSearch,
    component: lazyRouteComponent(
      () => import('#reading/viewer/hanging-rules/hanging-rules-screen.tsx'),
      'HangingRulesScreen',
    ),
  }),
] as const;
