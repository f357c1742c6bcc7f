import { expect, test, vi } from 'vitest';
import { MicrophoneStandIn, standInForMicrophone } from '#test/microphone.ts';
import { noise, sounds, speech } from '#test/spoken-sound.ts';
import { createServerSpeech } from './server-speech.ts';

test('a last phrase that the full queue does not take ends the recording with an error', async () => {
  standInForMicrophone();
  const heard: string[] = [];
  const started = Promise.withResolvers<void>();
  const engine = createServerSpeech(
    () => false,
    () => 0,
  );
  const recognition = engine.start('en-US', {
    started: () => started.resolve(),
    interim: vi.fn<() => void>(),
    final: vi.fn<() => void>(),
    error: (code) => heard.push(code),
    ended: () => heard.push('ended'),
  });
  await started.promise;
  MicrophoneStandIn.current?.hears(sounds(noise(0.5), speech(1)));

  recognition.stop();

  expect(heard).toEqual(['server-behind', 'ended']);
  expect(MicrophoneStandIn.current?.isOpen).toBe(false);
});
