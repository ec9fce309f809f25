// The list of label templates (D3 §2), made of what all print templates have.
import { templateList } from '#features/print/print-templates/fields.ts'

export const LABEL_TEMPLATES = templateList('labels.list', '标签模板', '还没有标签模板')
