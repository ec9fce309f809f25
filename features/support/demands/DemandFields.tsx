import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { DeadlinePicker } from '#web/form/dates/InstantPicker.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import styles from './demands.module.css'
import { type DemandDetails, type DemandOptions, demandsApi } from './demandsApi.tsx'
import { DEMAND_FIELDS } from './fields.ts'
import {
  CLIENTS,
  DEMAND_LIMITS,
  DEMAND_PICTURE,
  DEMAND_REFUSALS,
  type DemandForm,
  isShopId,
  PRIORITIES,
  STATUSES,
  TYPES,
} from './rules.ts'

const RichEditor = lazy(() => import('#web/rich/RichEditor.tsx'))

type Props = {
  form: Form<DemandForm>
  demand: DemandDetails | null
  options: DemandOptions
  uploads: Uploads
  /** When the form was opened. */
  now: number
}

/** In the documents' order (D3 §3, §5). */
export function DemandFields({ form, demand, options, uploads, now }: Props) {
  return (
    <>
      <FormGrid>
        <TextField
          form={form}
          name="title"
          label={DEMAND_FIELDS.title.label}
          required
          count={DEMAND_LIMITS.title}
          wide
        />
        <TextField
          form={form}
          name="path"
          label={DEMAND_FIELDS.path.label}
          maxLength={DEMAND_LIMITS.path}
          placeholder="如：收银/结账/打印"
          wide
        />
        <ShopField form={form} />
        <Chosen
          {...{ form, name: 'ownerId', label: '负责人' }}
          options={options.owners.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Chosen {...{ form, name: 'priority', label: '优先级' }} options={optionsOf(PRIORITIES)} />
        <Chosen {...{ form, name: 'type', label: '任务类型' }} options={optionsOf(TYPES)} />
        <Chosen {...{ form, name: 'client', label: '客户端' }} options={optionsOf(CLIENTS)} />
        <Chosen
          {...{ form, name: 'industryId', label: '行业类型' }}
          options={options.industries
            .filter(({ id, offered }) => offered || id === form.draft.industryId)
            .map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field form={form} name="deadline" label={DEMAND_FIELDS.deadline.label}>
          {control => (
            <DeadlinePicker
              {...control}
              now={now}
              value={form.draft.deadline}
              onChange={deadline => form.change({ deadline })}
            />
          )}
        </Field>
        {demand && <Chosen {...{ form, name: 'status', label: '进度' }} options={optionsOf(STATUSES)} />}
      </FormGrid>
      <Field form={form} name="description" label={DEMAND_FIELDS.description.label} group>
        {control => (
          <Suspense fallback={<LoadingLines lines={6} />}>
            <RichEditor
              id={control.id}
              describedBy={control['aria-describedby']}
              label={DEMAND_FIELDS.description.label}
              initial={form.draft.description}
              onChange={description => form.change({ description })}
              purpose={DEMAND_PICTURE}
              onBusy={uploads.at('description')}
            />
          </Suspense>
        )}
      </Field>
      {demand && (
        <p className={`${look.quiet} ${styles.origin}`}>
          提交人 {demand.createdByName}，创建时间 <Instant at={demand.createdAt} toMinute />
        </p>
      )}
    </>
  )
}

/** A shop by its eight digits; its name is shown as soon as they are typed, and its industry taken where none is chosen. */
function ShopField({ form }: Pick<Props, 'form'>) {
  const { merchantId, industryId } = form.draft
  const isWhole = isShopId(merchantId)
  const asked = useQuery({
    ...demandsApi.shop.query({ merchantId: Number(merchantId) || 1 }),
    enabled: isWhole,
  })
  const shop = isWhole ? asked.data?.shop : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a shop that has just been found says something new.
  useEffect(() => {
    if (shop && industryId === null) form.change({ industryId: shop.industryId })
  }, [shop])
  const hint =
    shop === null ? (
      <span className={styles.wrong}>{DEMAND_REFUSALS.SHOP_INVALID}</span>
    ) : (
      (shop?.shopName ?? (isWhole && asked.isFetching ? '查询中' : '8 位数字'))
    )
  return (
    <TextField
      form={form}
      name="merchantId"
      label={DEMAND_FIELDS.merchantId.label}
      required
      digits
      inputMode="numeric"
      maxLength={8}
      hint={hint}
    />
  )
}

type ChosenProps = {
  form: Form<DemandForm>
  name: 'ownerId' | 'priority' | 'type' | 'client' | 'industryId' | 'status'
  label: string
  options: readonly { value: string | number; label: string }[]
}

function Chosen({ form, name, label, options }: ChosenProps) {
  return (
    <Field form={form} name={name} label={label} required>
      {control => (
        <Select<string | number>
          {...control}
          value={form.draft[name] ?? undefined}
          options={options}
          onChange={value => form.change({ [name]: value ?? null } as Partial<DemandForm>)}
          placeholder={`请选择${label}`}
        />
      )}
    </Field>
  )
}
