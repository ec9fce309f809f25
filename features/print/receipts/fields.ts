// What the fields of a group of receipt items are (D3 §3 Receipt info group).
import { templateList } from '#features/print/print-templates/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { GROUP_LIMITS } from './rules.ts'

export const GROUP_FIELDS = {
  name: { kind: 'text', label: '分组名称', max: GROUP_LIMITS.name, in: ['log'] },
  sectionName: { kind: 'text', label: '板块类型', in: ['log'] },
  tags: { kind: 'text', label: '分组标签', max: GROUP_LIMITS.tags, in: ['log'] },
  remarks: { kind: 'text', label: '备注', max: GROUP_LIMITS.remarks, in: ['log'] },
  requiredNames: { kind: 'text', label: '必显内容', in: ['log'] },
} as const satisfies Fields

/** The list of receipt templates (D3 §2), made of what all print templates have. */
export const RECEIPT_TEMPLATES = templateList('receipts.list', '小票模板', '暂无小票样式')
