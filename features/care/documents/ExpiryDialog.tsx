import type { Typed } from '#kit/declare/form.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { DOCUMENT_FIELDS, EXPIRY } from './fields.ts'
import { DOCUMENT_KINDS } from './rules.ts'

type EndValues = Typed<typeof EXPIRY>

/** When a paper ends, which its agent is told of before. */
export default function ExpiryDialog({ row, onClose }: { row: DocumentRow; onClose: () => void }) {
  const { id, kind, expiresOn, isLongTerm } = row
  return (
    <FormDialog
      title={`${DOCUMENT_KINDS[kind]}有效期`}
      submitText="保存有效期"
      of={EXPIRY}
      known={{ expiresOn, isLongTerm }}
      send={async values => {
        await documentsApi.setExpiry({ id, ...values })
        toast.success('有效期已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => <EndFields form={form} />}
    </FormDialog>
  )
}

export function EndFields({ form }: { form: FieldsOf<EndValues> }) {
  return (
    <>
      <Field
        form={form}
        name="expiresOn"
        label={DOCUMENT_FIELDS.expiresOn.label}
        hint={EXPIRY.expiresOn.control.hint}
      >
        {control => (
          <Day
            {...control}
            value={form.draft.isLongTerm ? null : form.draft.expiresOn}
            onChange={expiresOn => form.change({ expiresOn, isLongTerm: false })}
            allowClear
            placeholder="未填写"
          />
        )}
      </Field>
      <Check
        checked={form.draft.isLongTerm}
        onChange={isLongTerm => form.change({ isLongTerm, ...(isLongTerm ? { expiresOn: null } : {}) })}
      >
        {DOCUMENT_FIELDS.isLongTerm.label}
      </Check>
    </>
  )
}
