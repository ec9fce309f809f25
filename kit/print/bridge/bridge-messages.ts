// The shapes of what a page says to the desk's print program. The program reads them; nothing else is answered.
import { z } from 'zod'
import { BRIDGE_LIMITS, CALIBRATION_LIMITS, PRINT_KIND_KEYS, PRINT_MODE_KEYS } from './bridge.ts'

const { offset, scaleLeast, scaleMost } = CALIBRATION_LIMITS
const moved = z.int().min(-offset).max(offset)
const grown = z.int().min(scaleLeast).max(scaleMost)
export const CalibrationShape = z.strictObject({
  dots: z.literal([8, 12, 24]),
  offsetX: moved,
  offsetY: moved,
  scaleX: grown,
  scaleY: grown,
})

const id = z
  .string()
  .max(BRIDGE_LIMITS.id)
  .regex(/^[\w.:-]+$/)
const target = z.string().min(1).max(40)
const kind = z.enum(PRINT_KIND_KEYS)
const copies = z.int().min(1).max(100_000)

/** Before a page is let in. */
export const StrangerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), token: z.string().max(100) }),
  z.strictObject({ type: z.literal('pair'), code: z.string().max(20), office: z.string().max(80) }),
])

/** At `ASK_PATH`. */
export const AskMessage = z.strictObject({ type: z.literal('ask'), office: z.string().max(80) })

export const BridgeMessage = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('print'), id, target, copies },
    kind: z.string().max(20),
    name: z.string().max(BRIDGE_LIMITS.name),
    /** Base64; its letters are looked at where it is decoded. */
    data: z.string().min(4).max(BRIDGE_LIMITS.messageMost),
  }),
  z.strictObject({ type: z.literal('ask'), id }),
  z.strictObject({ type: z.literal('cancel'), id }),
  z.strictObject({ type: z.literal('reprint'), id, of: id, copies }),
  z.strictObject({ type: z.literal('log') }),
  z.strictObject({ type: z.literal('check'), target }),
  z.strictObject({ type: z.literal('calibrate'), target, calibration: CalibrationShape }),
  z.strictObject({ type: z.literal('mode'), target, mode: z.enum(PRINT_MODE_KEYS) }),
  z.strictObject({ type: z.literal('default'), kind, target: target.nullable() }),
  z.strictObject({ type: z.literal('forget') }),
])
export type BridgeMessage = z.infer<typeof BridgeMessage>
