// Demo rows: who was forgotten, and who thought better of it. Nothing of them says who it was.
import { demoOperator } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { formatDay } from '#kit/time.ts'
import { ago, type Demo } from '#server/demo.ts'
import type { Kind } from './rules.ts'
import { personErasureItems, personErasures } from './tables.ts'

const FOUND: readonly { kind: Kind; table: string; rows: number }[] = [
  { kind: 'consultations', table: 'consultations', rows: 1 },
  { kind: 'messages', table: 'verification_codes', rows: 2 },
]

/** Is an operator no more: whoever looks at the demo is the only one. */
const COLLEAGUE = '汪洁'

export function demo(demo: Demo): void {
  const by = demoOperator(demo)
  const common = {
    ...{ phoneMasked: '138****0000', nameMasked: '', idNumberMasked: '' },
    ...{ createdBy: by.id, createdByName: by.name },
  }
  const number = `PE${formatDay(ago(demo, 71)).replaceAll('-', '')}-0000000001`
  const { id } = demo.history.add(personErasures, {
    ...common,
    number,
    state: 'done',
    reason: '本人来电要求删除咨询记录',
    askedOn: formatDay(ago(demo, 72)),
    channel: 'phone',
    createdAt: ago(demo, 71),
    requestedBy: by.id,
    requestedByName: by.name,
    requestedAt: ago(demo, 70.99),
    approvedByName: COLLEAGUE,
    approvedAt: ago(demo, 70.985),
    finishedAt: ago(demo, 70.98),
  })
  tell(demo, by, ago(demo, 70.985), {
    ...{ topic: 'Erasure_Notify', title: '个人信息删除已同意' },
    ...{
      body: `${COLLEAGUE}同意了申请${number}，正在删除`,
      link: `/admin/operations/person-erasures?erasure=${id}`,
    },
    args: { id },
  })
  for (const { kind, table, rows } of FOUND)
    demo.history.add(personErasureItems, {
      ...{ erasureId: id, key: table, kind, tableName: table, matched: ['phone'], rows, done: rows },
      ...{ fate: 'goes', chosen: true, choosable: false },
    })
  demo.history.add(personErasures, {
    ...common,
    number: `PE${formatDay(ago(demo, 24)).replaceAll('-', '')}-0000000002`,
    state: 'withdrawn',
    createdAt: ago(demo, 24),
    finishedAt: ago(demo, 23.9),
  })
}
