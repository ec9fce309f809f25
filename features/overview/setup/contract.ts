import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { codeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { SETUP_STEP_LENGTH, STEP_STATES } from '#kit/ports/setup.ts'
import { SETUP_REFUSALS } from './rules.ts'

const Step = z.object({
  key: z.string(),
  label: z.string(),
  state: z.enum(STEP_STATES),
  words: z.string(),
  /** Null: no page does it. */
  path: z.string().nullable(),
  /** Missing in the environment, each with a line to copy. */
  settings: z.array(z.object({ name: z.string(), meaning: z.string(), line: z.string() })),
  isOptional: z.boolean(),
  /** By the acting account. */
  isPutOff: z.boolean(),
})

export const setup = {
  /**
   * The operator's steps, or those of a partner's owner, in the order in which they are done; none once nothing necessary is left, and for
   * everybody else.
   */
  list: op(
    { permission: 'session' },
    { method: 'GET', path: '/setup', summary: 'What is still to be set up, as it stands now' },
  ).output(z.object({ steps: z.array(Step) })),
  putOff: op(
    {
      permission: 'session',
      log: '设置开始使用',
      stale: ['setup'],
    },
    { method: 'PUT', path: '/setup/{key}', summary: 'Put an optional step off, or fetch it back' },
  )
    .errors(errorsOf(SETUP_REFUSALS))
    .input(z.object({ key: codeText.max(SETUP_STEP_LENGTH), isPutOff: z.boolean() }))
    .output(z.object({ key: z.string(), isPutOff: z.boolean() })),
}

export type Setup = Out<typeof setup.list>
export type SetupStepRow = Setup['steps'][number]
