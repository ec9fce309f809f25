// What the tools of after-sales ask for. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'
import { LIMITS, TOOL_REFUSALS } from './rules.ts'

/** Every tool asks why. */
export const TOOL = {
  reason: {
    kind: 'text',
    label: '操作原因',
    max: LIMITS.reason,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields

/** For how long a term is extended. */
export const EXTENSION = {
  days: {
    kind: 'count',
    label: '延期天数',
    min: LIMITS.daysMin,
    max: LIMITS.daysMax,
    control: {
      as: 'number',
      required: true,
      placeholder: `${LIMITS.daysMin} 至 ${LIMITS.daysMax}`,
    },
  },
  ...TOOL,
} as const satisfies Fields

/** To which version a shop is adjusted. */
export const ADJUSTMENT = {
  versionId: {
    kind: 'id',
    label: '调整为',
    nullable: true,
    control: { as: 'own', required: true, missing: TOOL_REFUSALS.VERSION_REQUIRED },
  },
  ...TOOL,
} as const satisfies Fields

/** To whom a shop is moved. */
export const MOVE = {
  agentId: {
    kind: 'id',
    label: '新服务商',
    nullable: true,
    control: { as: 'own', required: true, missing: TOOL_REFUSALS.AGENT_REQUIRED },
  },
  ...TOOL,
} as const satisfies Fields
