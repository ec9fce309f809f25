import { errorsOf, op } from '#kit/declare/op.ts'
import { flag } from '#kit/declare/page.ts'
import { accountText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PASS_REFUSALS, PUZZLE, PUZZLE_REFUSALS, SCENES, TRAIL_POINTS_MAX } from './rules.ts'

const REFUSALS = { ...PASS_REFUSALS, ...PUZZLE_REFUSALS }
const scene = z.enum(SCENES)
/** What it is solved for: a phone number, or a shop's id and what the code is for. */
const subject = accountText.min(1).max(64)
const pixels = z
  .number()
  .min(-PUZZLE.width)
  .max(PUZZLE.width * 2)
const milliseconds = z.number().min(0).max(600_000)

/** Token of a pass in the input of what it opens. */
export const passToken = madeText.max(64).default('')

export const captcha = {
  challenge: op(
    { permission: 'public', ephemeral: true, detached: true },
    { method: 'POST', path: '/captcha', summary: 'A puzzle to be solved before something is sent' },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        scene,
        subject,
        /** The third party's puzzle did not come: ours is wanted, which fewer may ask for. */
        unreachable: flag().default(false),
      }),
    )
    .output(
      z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('slide'),
          id: z.string(),
          background: z.string(),
          piece: z.string(),
          /** Upper edge of the piece in the picture's pixels. */
          y: z.number(),
          width: z.number(),
          height: z.number(),
          pieceSize: z.number(),
        }),
        /** A third party's puzzle, and what its own script needs. */
        z.object({
          kind: z.enum(['geetest', 'tencent']),
          id: z.string(),
          site: z.record(z.string(), z.string()),
        }),
      ]),
    ),
  /** Any answer uses the puzzle up. */
  solve: op(
    { permission: 'public', ephemeral: true },
    { method: 'POST', path: '/captcha/answers', summary: 'Answer a slide puzzle for a pass of one use' },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        id: madeText.max(64),
        by: z.enum(['pointer', 'keys']).default('pointer'),
        x: pixels,
        durationMs: milliseconds,
        trail: z.array(z.tuple([pixels, pixels, milliseconds])).max(TRAIL_POINTS_MAX),
      }),
    )
    .output(z.object({ token: z.string() })),
  /** The third party is asked before a pass is given. */
  prove: op(
    { permission: 'public', ephemeral: true, detached: true },
    { method: 'POST', path: '/captcha/proofs', summary: "A third party's proof for a pass of one use" },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        id: madeText.max(64),
        proof: z
          .record(z.string().max(40), madeText.max(4_096))
          .refine(fields => Object.keys(fields).length <= 12),
      }),
    )
    .output(z.object({ token: z.string() })),
}
