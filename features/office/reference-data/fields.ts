// What the forms of reference data ask for beside the fields that each table declares. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'

/** From when on a row is offered no more. */
export const RETIREMENT = {
  when: {
    kind: 'word',
    label: '生效时间',
    words: { now: '立即', later: '指定时间' },
    control: { as: 'choice', first: 'now' },
  },
  from: { kind: 'instant', label: '停用时间', control: { as: 'own', required: true } },
} as const satisfies Fields

/** A limit or a term, as the rule that asks for it declares it. */
export function settingFields({ label, unit }: { label: string; unit: string }) {
  return {
    value: { kind: 'count', label, unit, nullable: true, control: { as: 'own' } },
  } as const satisfies Fields
}
