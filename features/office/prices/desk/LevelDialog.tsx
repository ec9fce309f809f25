import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { priceDesk } from './contract.ts'
import { DISCOUNT_FIELDS } from './fields.ts'
import { DISCOUNT_REFUSALS, LIMITS, refuseName, refuseShare, shareOf } from './rules.ts'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Values = { id: number; name: string; share: string }
const NEW = 0

/** A new level with its discount, or another name of one. */
export default function LevelDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  const levels = choices.data?.levels ?? []
  return (
    <FormDialog<Values>
      title="代理商等级"
      submitText="保存"
      initial={{ id: NEW, name: '', share: '' }}
      refuse={({ id, name, share }) => {
        const named = refuseName(name)
        if (named) return { field: 'name', message: DISCOUNT_REFUSALS[named] }
        return id === NEW && refuseShare(shareOf(share))
          ? { field: 'share', message: DISCOUNT_REFUSALS.DISCOUNT_FORMAT }
          : null
      }}
      onSubmit={async ({ id, name, share }) => {
        const isNew = id === NEW
        await priceDeskApi.saveLevel({
          id: isNew ? null : id,
          name,
          basisPoints: isNew ? shareOf(share) : null,
        })
        toast.success(isNew ? '新增成功' : '修改成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Field form={form} name="id" label="等级">
            {control => (
              <Select
                {...control}
                value={form.draft.id}
                options={[
                  { value: NEW, label: '新增等级' },
                  ...levels.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onSearch={null}
                onChange={(id = NEW) =>
                  form.change({ id, name: levels.find(level => level.id === id)?.name ?? '' })
                }
              />
            )}
          </Field>
          <TextField form={form} name="name" label="名称" maxLength={LIMITS.name} placeholder="如 铂金代理" />
          {form.draft.id === NEW && (
            <TextField
              form={form}
              name="share"
              label={DISCOUNT_FIELDS.share.label}
              inputMode="decimal"
              unit="折"
              placeholder="如 6.5"
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
