import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import type { priceDesk } from './contract.ts'
import { LEVEL } from './fields.ts'
import { DISCOUNT_REFUSALS, refuseName, refuseShare, shareOf } from './rules.ts'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

const NEW = 0

/** A new level with its discount, or another name of one. */
export default function LevelDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(priceDeskApi.choices.query())
  const levels = choices.data?.levels ?? []
  return (
    <FormDialog
      title="代理商等级"
      submitText="保存"
      of={LEVEL}
      refuse={({ id, name, share }) => {
        const named = refuseName(name)
        if (named) return { field: 'name', message: DISCOUNT_REFUSALS[named] }
        return id === NEW && refuseShare(shareOf(share))
          ? { field: 'share', message: DISCOUNT_REFUSALS.DISCOUNT_FORMAT }
          : null
      }}
      send={async ({ id, name, share }) => {
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
          <FormFields form={form} only={['id', 'name']}>
            {{
              id: control => (
                <Select
                  {...control}
                  value={form.draft.id ?? NEW}
                  options={[
                    { value: NEW, label: '新增等级' },
                    ...levels.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                  onSearch={null}
                  onChange={(id = NEW) =>
                    form.change({ id, name: levels.find(level => level.id === id)?.name ?? '' })
                  }
                />
              ),
            }}
          </FormFields>
          {form.draft.id === NEW && (
            <FormFields form={form} only={['share']} told={{ share: { unit: '折' } }} />
          )}
        </>
      )}
    </FormDialog>
  )
}
