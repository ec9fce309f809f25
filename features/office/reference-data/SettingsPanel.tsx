import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import type { Out } from '#kit/declare/op.ts'
import { refuseValue } from '#kit/declare/settings.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { NumberField } from '#web/form/NumberField.tsx'
import { RowMenu } from '#web/list/RowMenu.tsx'
import type { referenceData } from './contract.ts'
import { settingFields } from './fields.ts'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'

type Kept = Out<typeof referenceData.settings>['settings'][number]

/** Limits and terms of the whole office, each as the rule that asks for it declares it. */
export function SettingsPanel() {
  const list = useQuery(referenceApi.settings.query())
  const [open, setOpen] = useState<Kept | null>(null)
  const history = useHistory()
  if (list.isError) return <LoadFailure error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingLines />
  const groups = Map.groupBy(list.data.settings, ({ group }) => group)
  return (
    <section className={styles.table} aria-label="规则与限额">
      <header>
        <p className={look.quiet}>修改后几秒内对所有人生效，页面和提示里的数字随之改变。</p>
      </header>
      {[...groups].map(([group, settings]) => (
        <section key={group} aria-label={group}>
          <h2 className={look.sectionTitle}>{group}</h2>
          <ul className={styles.rows}>
            {settings.map(one => (
              <li key={one.key}>
                <span className={styles.what}>
                  <strong>{one.label}</strong>
                  {one.hint && <span className={`${look.quiet} ${styles.facts}`}>{one.hint}</span>}
                </span>
                <span className={look.number}>
                  {one.value} {one.unit}
                </span>
                <Button kind="link" aria-label={`修改${one.label}`} onClick={() => setOpen(one)}>
                  修改
                </Button>
                <RowMenu actions={history.actionsOf({ kind: 'setting', id: one.key, name: one.label })} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {history.drawer}
      {open && <SettingDialog kept={open} onClose={() => setOpen(null)} />}
    </section>
  )
}

function SettingDialog({ kept, onClose }: { kept: Kept; onClose: () => void }) {
  const { key, label, unit, min, max, initial, hint } = kept
  return (
    <FormDialog
      title={`修改${label}`}
      submitText="保存"
      of={settingFields(kept)}
      known={kept}
      refuse={({ value }) => {
        const message = refuseValue(kept, value)
        return message === null ? null : { field: 'value', message }
      }}
      send={async ({ value }) => {
        await referenceApi.setSetting({ key, seen: kept.value, value: value ?? Number.NaN })
        toast.success('已保存，几秒内生效')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {hint && <FormNote>{hint}</FormNote>}
          <NumberField
            form={form}
            name="value"
            label={label}
            unit={unit}
            hint={`${min} 到 ${max} ${unit}，默认 ${initial} ${unit}`}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
