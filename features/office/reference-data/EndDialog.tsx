import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '#kit/time.ts'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { ShownRow, ShownTable } from './contract.ts'
import { RETIREMENT } from './fields.ts'
import { referenceApi } from './referenceApi.tsx'
import { inUseText, nameOf, REFERENCE_REFUSALS, usesText } from './rules.ts'

type Props = { table: ShownTable; row: ShownRow; what: 'retire' | 'remove'; onClose: () => void }

const HOUR_MS = 3_600_000

/** Offers a row no more, from now or later on, or deletes one that nothing uses; what uses it is said before. */
export default function EndDialog({ table, row, what, onClose }: Props) {
  const of = { table: table.key, id: row.id }
  const known = useQuery({ ...referenceApi.uses.query(of), staleTime: 0, gcTime: 0 })
  const [now] = useState(() => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS).toISOString())
  const uses = known.data?.uses ?? []
  const isRemoval = what === 'remove'
  const used = inUseText(uses, table.retires)
  const name = nameOf(table, row)
  return (
    <FormDialog
      title={`${isRemoval ? '删除' : '停用'}「${name}」？`}
      submitText={isRemoval ? '删除' : '停用'}
      danger={isRemoval}
      of={RETIREMENT}
      known={{ from: now }}
      refuse={({ when, from }) => {
        if (isRemoval) return null
        const isPast = when === 'later' && Date.parse(from) <= Date.now()
        return isPast ? { field: 'from', message: REFERENCE_REFUSALS.RETIRE_PAST } : null
      }}
      send={async ({ when, from }) => {
        if (isRemoval) await referenceApi.remove(of)
        else await referenceApi.retire({ ...of, from: when === 'later' ? from : null })
        toast.success(isRemoval ? '已删除' : when === 'now' ? '已停用' : '将按时停用')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {known.isError
              ? messageOf(known.error)
              : !known.data
                ? '正在查看使用情况'
                : isRemoval
                  ? (used ?? '没有使用，删除后不能恢复')
                  : `${usesText(uses) || '没有'}正在使用。停用后不再供新的选择，已选的保持不变`}
          </FormNote>
          {!isRemoval && <FormFields form={form} only={['when']} />}
          {!isRemoval && form.draft.when === 'later' && (
            <FormFields form={form} only={['from']}>
              {{
                from: control => (
                  <InstantPicker
                    {...control}
                    value={form.draft.from ?? now}
                    firstDay={formatDay(new Date())}
                    onChange={from => form.change({ from })}
                  />
                ),
              }}
            </FormFields>
          )}
        </>
      )}
    </FormDialog>
  )
}
