import { chat, longestMessage } from '@radwork/contract/reading/chat';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConversation } from '#test/conversation.ts';
import { answer, type SentRequest, serve, show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { WithChat } from './with-chat.tsx';
import { ChatToggle } from './chat-toggle.tsx';
import { maxGain } from './message-tone.ts';

const study = studyDetails();

const page = (
  <WithChat study={study}>
    <h1>The study</h1>
    <ChatToggle study={study} />
  </WithChat>
);

type TestConversation = ReturnType<typeof createConversation>;
type Answers = Partial<TestConversation['answers']>;

/** Shows a study with its chat. `instead` replaces some of the server's answers. */
const openStudy = (talk: TestConversation, instead: Answers = {}, userType?: Parameters<typeof show>[1]) => {
  const calls = serve(...Object.values({ ...talk.answers, ...instead }));
  const view = show(page, userType);
  return { ...view, calls, user: userEvent.setup() };
};

const openChat = async (talk: TestConversation, instead: Answers = {}) => {
  localStorage.setItem('preference.chat', 'open');
  const opened = openStudy(talk, instead);
  const panel = within(await screen.findByRole('region', { name: 'Chat' }));
  const field = panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  return { ...opened, panel, field };
};

const texts = () => Array.from(screen.getByRole('log').querySelectorAll('[dir="auto"]'), (text) => text.textContent);

const callsTo = (calls: readonly SentRequest[], method: string, end: string) =>
  calls.filter((call) => call.method === method && call.url.pathname.endsWith(end));

/** Simulates the user's return to the tab, which refetches the chat. */
const lookAgain = () => act(async () => void window.dispatchEvent(new Event('visibilitychange')));

/** Simulates a message list 300 pixels high, with 40 pixels per message. */
const layOut = () => {
  const heightOf = (list: Element) => list.querySelectorAll('[data-message]').length * 40;
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockImplementation(() => 300);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
    return Math.max(300, heightOf(this));
  });
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
    const all = [...(this.closest('[role="log"]')?.querySelectorAll('[data-message]') ?? [])];
    return all.indexOf(this) * 40;
  });
};

const scrollTo = (top: number) => {
  const list = screen.getByRole('log');
  list.scrollTop = top;
  fireEvent.scroll(list);
};

/** Gain of each played tone. */
const played: number[] = [];

class SilentNode {
  connect = (to: unknown) => to;
  start = () => {};
  stop = () => {};
  frequency = { setValueAtTime: () => {} };
  gain = {
    setValueAtTime: () => {},
    linearRampToValueAtTime: (loudness: number) => void played.push(loudness),
    exponentialRampToValueAtTime: () => {},
  };
}

beforeEach(() => {
  played.length = 0;
  vi.stubGlobal('AudioContext', SilentNode);
  vi.stubGlobal('GainNode', SilentNode);
  vi.stubGlobal('OscillatorNode', SilentNode);
});
afterEach(() => {
  vi.restoreAllMocks();
  window.location.hash = '';
});

test('the chat is closed at first, and its button shows the unread count', async () => {
  const talk = createConversation();
  talk.says('a.berg', 'Good morning');
  talk.says('m.haddad', 'Good morning to you');
  talk.says('a.berg', 'A second look, please');
  openStudy(talk);

  const toggle = await screen.findByRole('button', { name: 'Open chat, 2 unread' });

  expect(toggle.textContent).toBe('2');
  expect(screen.queryByRole('region', { name: 'Chat' })).toBeNull();
});

test('the chat button shows 99+ for more than 99 unread messages', async () => {
  const talk = createConversation();
  for (let number = 0; number < 100; number += 1) talk.says('a.berg', `${number}`);
  openStudy(talk);

  const toggle = await screen.findByRole('button', { name: 'Open chat, more than 99 unread' });

  expect(toggle.textContent).toBe('99+');
});

test('an open chat can be minimized and closed, and this browser remembers its state', async () => {
  const talk = createConversation();
  const { user, unmount } = openStudy(talk);

  await user.click(await screen.findByRole('button', { name: 'Open chat' }));
  expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'Message' }));
  await user.click(screen.getByRole('button', { name: 'Minimize chat' }));
  expect(screen.queryByRole('textbox')).toBeNull();
  unmount();
  openStudy(talk);
  await user.click(await screen.findByRole('button', { name: 'Show chat' }));
  await user.click(screen.getByRole('button', { name: 'Close chat panel' }));

  expect(screen.queryByRole('region', { name: 'Chat' })).toBeNull();
  expect(localStorage.getItem('preference.chat')).toBe('closed');
});

test('the key C opens the chat, and Escape minimizes it without leaving the study', async () => {
  const { user } = openStudy(createConversation());
  await screen.findByRole('button', { name: 'Open chat' });

  await user.keyboard('c');
  expect(await screen.findByRole('textbox', { name: 'Message' })).toBeDefined();
  await user.keyboard('{Escape}');

  expect(screen.getByRole('button', { name: 'Show chat' })).toBeDefined();
});

test('an address with #chat opens the chat', async () => {
  window.location.hash = '#chat';
  openStudy(createConversation());

  expect(await screen.findByRole('region', { name: 'Chat' })).toBeDefined();
});

test('the chat panel names the patient', async () => {
  const { panel } = await openChat(createConversation());

  expect(panel.getByText(/Phantom, Ada/).textContent).toBe('Phantom, Ada MRN0042');
});

test('a user without chat permission sees no chat, and the page sends no chat request', async () => {
  const { calls } = openStudy(createConversation(), {}, 'PATIENT');

  expect(screen.getByText('The study')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
  expect(calls).toEqual([]);
});

test('a user who only ordered the study sees why the chat is not available, and the page sends no chat request', async () => {
  const reason = 'You can join this conversation after a participant mentions you';
  const outside = studyDetails({ chatRefusal: reason });
  localStorage.setItem('preference.chat', 'open');
  const calls = serve();
  const user = userEvent.setup();
  show(
    <WithChat study={outside}>
      <ChatToggle study={outside} />
    </WithChat>,
    'REFERRING_PHYSICIAN',
  );

  const toggle = await screen.findByRole('button', { name: `Chat: ${reason}` });
  await user.click(toggle);
  await user.keyboard('c');

  expect(toggle.getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByRole('region', { name: 'Chat' })).toBeNull();
  expect(calls.filter(({ url }) => url.pathname.startsWith('/api/chat'))).toEqual([]);
});

test('the list of colleagues marks those whom a mention would invite, and the form warns before sending', async () => {
  const referrer = { username: 'c.moreau', name: 'Dr Claire Moreau', joinsByMention: true };
  const colleague = { username: 'a.berg', name: 'Dr Aksel Berg', joinsByMention: false };
  const { user, field, panel } = await openChat(createConversation(), {
    people: answer(chat.people, () => [colleague, referrer]),
  });

  await user.type(field, '@a.berg and @');
  const options = within(await panel.findByRole('listbox', { name: 'Users' })).getAllByRole('option');
  const before = panel.queryByText(/invites/);
  await user.keyboard('{ArrowDown}{Enter}');

  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Dr Aksel Berg@a.berg',
    'Dr Claire Moreaunot in this chat@c.moreau',
  ]);
  expect(before).toBeNull();
  expect((await panel.findByText(/invites/)).textContent).toBe(
    'Mentioning Dr Claire Moreau invites them to this chat, including all earlier messages.',
  );
});

test('a chat without messages shows a message that it is empty', async () => {
  const { panel } = await openChat(createConversation());

  expect(await panel.findByText('No messages yet')).toBeDefined();
});

test('a chat that fails to load shows the reason, and the user can retry', async () => {
  const talk = createConversation();
  talk.says('a.berg', 'Good morning');
  let isDown = true;
  const { panel, user } = await openChat(talk, {
    conversation: answer(chat.conversation, (sent) => {
      if (isDown) throw new TypeError('Failed to fetch');
      return talk.page(sent);
    }),
  });
  expect(await panel.findByText('Error loading messages')).toBeDefined();

  isDown = false;
  await user.click(panel.getByRole('button', { name: 'Retry' }));

  expect(await panel.findByText('Good morning')).toBeDefined();
});

test('each message shows sender and time, and consecutive messages of one sender form a group', async () => {
  const talk = createConversation();
  talk.says('a.berg', 'One');
  talk.says('a.berg', 'Two');
  talk.says('m.haddad', 'Three');
  const { panel } = await openChat(talk);

  await panel.findByText('Three');

  expect(texts()).toEqual(['One', 'Two', 'Three']);
  expect(panel.getAllByText('Dr a.berg')).toHaveLength(1);
  expect(panel.getAllByText('You')).toHaveLength(1);
});

test('the chat never runs, links or formats the text of a message as markup', async () => {
  const talk = createConversation();
  const text = '<img src=x onerror="alert(1)"> <a href="javascript:alert(1)">here</a> https://example.org/?a=1';
  talk.says('a.berg', text);
  const { panel } = await openChat(talk);

  expect((await panel.findByText(/onerror/)).textContent).toBe(text);
  expect(screen.getByRole('log').querySelector('a, img')).toBeNull();
});

test('Enter sends the message, and Shift+Enter begins a new line', async () => {
  const talk = createConversation();
  const { user, field, panel, calls } = await openChat(talk);

  await user.type(field, '  First line{Shift>}{Enter}{/Shift}second line  {Enter}');

  expect(await panel.findByText(/First line/)).toBeDefined();
  expect(callsTo(calls, 'POST', '/send')[0]?.body).toEqual({
    id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    conversationId: study.id,
    text: 'First line\nsecond line',
  });
  expect(field.value).toBe('');
});

test('Enter that completes a composed character does not send the message', async () => {
  const { field, calls, user } = await openChat(createConversation());
  await user.type(field, 'にほん');

  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });

  expect(callsTo(calls, 'POST', '/send')).toEqual([]);
  expect(field.value).toBe('にほん');
});

test('a message of spaces only is not sent', async () => {
  const { user, field, panel, calls } = await openChat(createConversation());

  await user.type(field, '  {Shift>}{Enter}{/Shift} {Enter}');

  expect(callsTo(calls, 'POST', '/send')).toEqual([]);
  expect(panel.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', true);
});

test('the chat field counts down the last characters, and does not shorten a text over the limit', async () => {
  const { user, field, panel, calls } = await openChat(createConversation());

  fireEvent.change(field, { target: { value: 'x'.repeat(longestMessage - 200) } });
  expect(panel.getByText('200 characters left')).toBeDefined();
  fireEvent.change(field, { target: { value: 'x'.repeat(longestMessage + 3) } });
  await user.type(field, '{Enter}');

  expect(panel.getByText('3 characters too many')).toBeDefined();
  expect(field.value).toHaveLength(longestMessage + 3);
  expect(callsTo(calls, 'POST', '/send')).toEqual([]);
});

test('a message that could not be sent survives a reload and is sent again under the same ID', async () => {
  const talk = createConversation();
  talk.says('a.berg', 'Good morning');
  const down = answer(chat.send, () => {
    throw new TypeError('Failed to fetch');
  });
  const first = await openChat(talk, { send: down });
  await first.user.type(first.field, 'Do not lose me{Enter}');
  expect(await first.panel.findByText('Not sent: no connection.')).toBeDefined();
  first.unmount();

  const second = await openChat(talk);
  expect(await second.panel.findByText('Do not lose me')).toBeDefined();
  await second.user.click(second.panel.getByRole('button', { name: 'Retry' }));

  await waitFor(() => expect(second.panel.queryByRole('button', { name: 'Retry' })).toBeNull());
  const [tried, triedAgain] = [first, second].map(({ calls }) => callsTo(calls, 'POST', '/send')[0]?.body);
  expect(triedAgain).toEqual(tried);
  expect(talk.written.map(({ text }) => text)).toEqual(['Good morning', 'Do not lose me']);
  expect(localStorage.getItem(`unsaved.north.u1.chat.${study.id}`)).toBeNull();
});

test('a message whose answer was lost appears only once when the server has received it', async () => {
  const talk = createConversation();
  const arrived = answer(chat.send, ({ body }) => {
    const { id, text } = body as { id: string; text: string };
    talk.says('m.haddad', text, id);
    throw new TypeError('Failed to fetch');
  });
  const { user, field, panel } = await openChat(talk, { send: arrived });
  await user.type(field, 'Only once{Enter}');
  await panel.findByRole('button', { name: 'Retry' });

  await lookAgain();

  await waitFor(() => expect(panel.queryByRole('button', { name: 'Retry' })).toBeNull());
  expect(texts()).toEqual(['Only once']);
  expect(localStorage.getItem(`unsaved.north.u1.chat.${study.id}`)).toBeNull();
});

test('the chat field stays empty after sending when its selection changes during the request', async () => {
  const { user, field } = await openChat(createConversation());
  await user.type(field, 'Sent');

  act(() => {
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.select(field);
  });

  expect(field.value).toBe('');
});

test('Escape in the sound menu closes the menu and leaves the chat open', async () => {
  const { user } = await openChat(createConversation());
  await user.click(screen.getByRole('button', { name: 'Sound on, change' }));
  await screen.findByRole('switch', { name: 'Sound for new messages' });

  await user.keyboard('{Escape}');

  expect(screen.getByRole('textbox', { name: 'Message' })).toBeDefined();
});

test('discarding a failed message asks for confirmation first', async () => {
  const talk = createConversation();
  const { user, field, panel } = await openChat(talk, {
    send: answer(chat.send, () => {
      throw new TypeError('Failed to fetch');
    }),
  });
  await user.type(field, 'Never mind{Enter}');

  await user.click(await panel.findByRole('button', { name: 'Discard' }));
  await user.click(await screen.findByRole('button', { name: 'Discard message' }));

  await waitFor(() => expect(panel.queryByText('Never mind')).toBeNull());
  expect(localStorage.getItem(`unsaved.north.u1.chat.${study.id}`)).toBeNull();
});

test('messages are sent in the order in which they were written, even when the first request is slow', async () => {
  const talk = createConversation();
  const gate = Promise.withResolvers<void>();
  const { user, field } = await openChat(talk, {
    send: answer(chat.send, async ({ body }) => {
      const { id, text } = body as { id: string; text: string };
      if (text === 'one') await gate.promise;
      return talk.seen(talk.says('m.haddad', text, id));
    }),
  });

  await user.type(field, 'one{Enter}two{Enter}');
  expect(talk.written).toEqual([]);
  gate.resolve();

  await waitFor(() => expect(talk.written.map(({ text }) => text)).toEqual(['one', 'two']));
});

test('unsent text is restored when the chat opens again', async () => {
  const talk = createConversation();
  const { user, field } = await openChat(talk);
  await user.type(field, 'Half a thought');

  await user.click(screen.getByRole('button', { name: 'Close chat panel' }));
  await user.click(screen.getByRole('button', { name: 'Open chat' }));

  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('Half a thought');
});

test('the keyboard can mention a colleague, and the chat highlights the mention', async () => {
  const talk = createConversation();
  const { user, field, panel } = await openChat(talk);

  await user.type(field, 'Please @');
  const options = within(await panel.findByRole('listbox', { name: 'Users' }));
  expect(options.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Dr Aksel Berg@a.berg',
    'Dr Hannah Weiss@h.weiss',
  ]);
  await user.keyboard('{ArrowDown}');
  expect(options.getByRole('option', { selected: true }).textContent).toContain('h.weiss');
  await user.keyboard('{Enter}have a look{Enter}');

  await waitFor(() => expect(talk.written[0]?.text).toBe('Please @h.weiss have a look'));
  expect((await panel.findByText('@h.weiss')).tagName).toBe('STRONG');
});

test('Escape closes the list of colleagues and leaves the chat open', async () => {
  const { user, field, panel } = await openChat(createConversation());
  await user.type(field, 'Write to @we');
  await panel.findByRole('listbox');

  await user.keyboard('{Escape}');

  expect(panel.queryByRole('listbox')).toBeNull();
  expect(field.value).toBe('Write to @we');
});

test('users delete their own messages after a confirmation, and cannot delete others', async () => {
  const talk = createConversation();
  talk.says('a.berg', 'Theirs');
  talk.says('m.haddad', 'Said in haste');
  const { user, panel } = await openChat(talk);

  await user.click(await panel.findByRole('button', { name: 'Delete message' }));
  expect(await screen.findByText(/The text stays on record/)).toBeDefined();
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete message' }));

  await waitFor(() => expect(texts()).toEqual(['Theirs', 'Message deleted']));
});

test('a deleted message disappears from other browsers, however old it is', async () => {
  layOut();
  const talk = createConversation();
  const first = talk.says('a.berg', 'Said in haste');
  for (let number = 1; number <= 14; number += 1) talk.says('a.berg', `${number}`);
  const { user, panel } = await openChat(talk);
  await user.click(await panel.findByRole('button', { name: 'Load older messages' }));
  await panel.findByText('Said in haste');

  talk.takeBack(first.id);
  await lookAgain();

  expect(await panel.findByText('Message deleted')).toBeDefined();
  expect(panel.queryByText('Said in haste')).toBeNull();
});

test('scrolling to the top loads older messages without a jump or gap while new ones arrive', async () => {
  layOut();
  const talk = createConversation();
  for (let number = 1; number <= 25; number += 1) talk.says('a.berg', `${number}`);
  const { panel } = await openChat(talk);
  await panel.findByText('25');
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
  expect(texts()).toEqual(numbers(16, 25));

  talk.says('a.berg', '26');
  scrollTo(30);
  await panel.findByText('6');

  const list = screen.getByRole('log');
  expect(texts()).toEqual(numbers(6, 25));
  expect(list.scrollTop).toBe(30 + 10 * 40);
  await lookAgain();
  await panel.findByText('26');
  scrollTo(0);
  await panel.findByText('1');
  expect(texts()).toEqual(numbers(1, 26));
  expect(panel.queryByRole('button', { name: 'Load older messages' })).toBeNull();
});

test('messages that arrived during a long absence are loaded without a gap', async () => {
  const talk = createConversation();
  talk.says('a.berg', '1');
  const { panel } = await openChat(talk);
  await panel.findByText('1');

  for (let number = 2; number <= 40; number += 1) talk.says('a.berg', `${number}`);
  await lookAgain();
  await panel.findByText('40');

  expect(texts()).toEqual(Array.from({ length: 40 }, (_, index) => `${index + 1}`));
});

test('missed messages are loaded even when the user sends a message before they arrive', async () => {
  const talk = createConversation();
  talk.says('a.berg', '1');
  const { panel, user, field } = await openChat(talk);
  await panel.findByText('1');

  for (let number = 2; number <= 40; number += 1) talk.says('a.berg', `${number}`);
  await user.type(field, 'Mine{Enter}');
  await waitFor(() => expect(talk.written.at(-1)?.text).toBe('Mine'));
  await lookAgain();
  await panel.findByText('40');

  expect(texts()).toEqual([...Array.from({ length: 40 }, (_, index) => `${index + 1}`), 'Mine']);
});

test('two messages with the same time keep their order when later messages arrive', async () => {
  const talk = createConversation();
  for (let number = 1; number <= 10; number += 1) talk.says('a.berg', `${number}`);
  // Swaps the times of the two messages, as can happen when two users write at the same moment.
  const [first, second] = talk.written;
  if (first && second) [first.at, second.at] = [second.at, first.at];
  const { panel } = await openChat(talk);
  await panel.findByText('10');

  talk.says('a.berg', '11');
  await lookAgain();
  await panel.findByText('11');

  expect(texts()).toEqual(Array.from({ length: 11 }, (_, index) => `${index + 1}`));
});

test('within 50 pixels of the bottom, the chat scrolls to a new message and marks it as read', async () => {
  layOut();
  const talk = createConversation();
  for (let number = 1; number <= 10; number += 1) talk.says('a.berg', `${number}`);
  const { panel, calls } = await openChat(talk);
  await panel.findByText('10');
  await waitFor(() => expect(talk.unread()).toBe(0));
  scrollTo(10 * 40 - 300 - 50);

  talk.says('a.berg', '11');
  await lookAgain();
  await panel.findByText('11');

  expect(screen.getByRole('log').scrollTop).toBe(11 * 40);
  await waitFor(() => expect(talk.unread()).toBe(0));
  expect(callsTo(calls, 'PUT', '/read').every(({ headers }) => headers.get('x-poll') === '1')).toBe(true);
  expect(played).toEqual([]);
});

test('a reader who scrolls up keeps the position even before the browser reports the scrolling', async () => {
  layOut();
  const talk = createConversation();
  for (let number = 1; number <= 10; number += 1) talk.says('a.berg', `${number}`);
  const { panel } = await openChat(talk);
  await panel.findByText('10');
  screen.getByRole('log').scrollTop = 0;

  talk.says('a.berg', '11');
  await lookAgain();
  await panel.findByText('11');

  expect(screen.getByRole('log').scrollTop).toBe(0);
});

test('a reader who scrolled up stays there, and reaches a new message with a button', async () => {
  layOut();
  const talk = createConversation();
  for (let number = 1; number <= 10; number += 1) talk.says('a.berg', `${number}`);
  const { panel, user } = await openChat(talk);
  await panel.findByText('10');
  await waitFor(() => expect(talk.unread()).toBe(0));
  scrollTo(10 * 40 - 300 - 51);

  talk.says('a.berg', '11');
  await lookAgain();
  const below = await panel.findByRole('button', { name: '1 new message' });
  expect(screen.getByRole('log').scrollTop).toBe(49);
  expect(talk.unread()).toBe(1);
  expect(played).toEqual([0.5 * maxGain]);
  await user.click(below);

  expect(screen.getByRole('log').scrollTop).toBe(11 * 40);
  await waitFor(() => expect(talk.unread()).toBe(0));
  expect(panel.queryByRole('button', { name: /new message/ })).toBeNull();
});

test('nothing is marked as read while the tab is hidden', async () => {
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const talk = createConversation();
  talk.says('a.berg', 'Good morning');
  const { panel } = await openChat(talk);
  await panel.findByText('Good morning');
  expect(talk.unread()).toBe(1);

  hidden.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));

  await waitFor(() => expect(talk.unread()).toBe(0));
});

test('a new message of a colleague plays a tone at the chosen volume, but own and old messages do not', async () => {
  const talk = createConversation();
  talk.says('a.berg', 'Old');
  localStorage.setItem('chat-sound', '{"enabled":true,"volume":0.2}');
  openStudy(talk);
  await screen.findByRole('button', { name: 'Open chat, 1 unread' });
  talk.says('m.haddad', 'Mine, from another window');
  await lookAgain();
  expect(played).toEqual([]);

  talk.says('a.berg', 'New');
  await lookAgain();
  await screen.findByRole('button', { name: 'Open chat, 2 unread' });

  expect(played).toEqual([0.2 * maxGain]);
});

test('a muted chat plays no tone', async () => {
  const talk = createConversation();
  const { user } = await openChat(talk);
  await user.click(screen.getByRole('button', { name: 'Sound on, change' }));
  await user.click(await screen.findByRole('switch', { name: 'Sound for new messages' }));
  await user.click(screen.getByRole('button', { name: 'Close chat panel' }));

  talk.says('a.berg', 'Hello');
  await lookAgain();
  await screen.findByRole('button', { name: 'Open chat, 1 unread' });

  expect(played).toEqual([]);
  expect(JSON.parse(localStorage.getItem('chat-sound') ?? '')).toEqual({ enabled: false, volume: 0.5 });
});

test('the chat polls every ten seconds without prolonging the session, and stops while the tab is hidden', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const { calls } = openStudy(createConversation());
  const count = () => callsTo(calls, 'GET', study.id).length;
  await waitFor(() => expect(count()).toBe(1));

  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(count()).toBe(2);
  expect(calls.every(({ headers }) => headers.get('x-poll') === '1')).toBe(true);
  hidden.mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(count()).toBe(2);
  vi.useRealTimers();
});
