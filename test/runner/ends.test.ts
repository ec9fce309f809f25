import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import test from 'node:test'
import { endWith } from './ends.ts'

for (const [name, end] of [
  ['a signal', ({ signals }: { signals: EventEmitter }) => signals.emit('SIGTERM')],
  [
    'an output that nobody reads any more',
    ({ output }: { output: EventEmitter }) =>
      output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  ],
] as const)
  test(`${name} ends the run once what it started has ended`, async () => {
    const [signals, output] = [new EventEmitter(), new EventEmitter()]
    const said: string[] = []
    const ended = new Promise<void>(resolve =>
      endWith(
        async () => {
          await Promise.resolve()
          said.push('stopped')
        },
        {
          signals,
          outputs: [output],
          exit: status => {
            said.push(`exit ${status}`)
            resolve()
          },
        },
      ),
    )
    end({ signals, output })
    await ended
    assert.deepEqual(said, ['stopped', 'exit 130'])
  })
