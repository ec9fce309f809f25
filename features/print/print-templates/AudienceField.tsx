import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from '#web/controls/Button.tsx'
import { IconClose } from '#web/controls/icons.tsx'
import { look } from '#web/controls/look.ts'
import { Check } from '#web/form/Check.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { useTypedSearch } from '#web/form/choices/useTypedSearch.ts'
import { Field } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import styles from './print-templates.module.css'
import { TEMPLATE_LIMITS, type TemplateKind } from './rules.ts'
import { type ToldAudience, templatesApi } from './templatesApi.tsx'

/** Whom a version is for, as a form holds it: what was chosen stays while 全部店铺 is tried. */
export type AudienceDraft = { all: boolean; industryIds: readonly number[]; shops: ToldAudience['shops'] }

export const draftOf = ({ all, industries, shops }: ToldAudience): AudienceDraft => ({
  all,
  industryIds: industries.map(({ id }) => id),
  shops,
})

export const sentOf = ({ all, industryIds, shops }: AudienceDraft) => ({
  all,
  industryIds: all ? [] : [...industryIds],
  shopIds: all ? [] : shops.map(({ id }) => id),
})

type Props = {
  kind: TemplateKind
  form: FieldsOf<{ audience: AudienceDraft }>
  /** Whom it is for already, which stays. */
  least: AudienceDraft | null
  /** What comes of it. */
  hint: string
}

/** All shops, or those of some industries and some that are chosen. */
export function AudienceField({ kind, form, least, hint }: Props) {
  const { audience } = form.draft
  const change = (changed: Partial<AudienceDraft>) => form.change({ audience: { ...audience, ...changed } })
  return (
    <Field form={form} name="audience" label="发布范围" required hint={hint} group>
      {control => (
        <div className={styles.audience}>
          <Choice
            {...control}
            look="lines"
            label="发布范围"
            options={[
              { value: true, label: '全部店铺' },
              { value: false, label: '部分行业或店铺', disabled: least?.all === true },
            ]}
            value={audience.all}
            onChange={all => change({ all })}
          />
          {!audience.all && (
            <>
              <IndustryChecks
                {...{ kind, audience, least }}
                onChange={industryIds => change({ industryIds })}
              />
              <ChosenShops {...{ kind, audience, least }} onChange={shops => change({ shops })} />
            </>
          )}
        </div>
      )}
    </Field>
  )
}

type PartProps<V> = {
  kind: TemplateKind
  audience: AudienceDraft
  least: AudienceDraft | null
  onChange: (chosen: V) => void
}

function IndustryChecks({ kind, audience, least, onChange }: PartProps<readonly number[]>) {
  const industries = useQuery(templatesApi(kind).industries.query())
  const { industryIds } = audience
  const rows = industries.data?.rows.filter(({ id, offered }) => offered || industryIds.includes(id))
  return (
    <fieldset className={styles.industries}>
      <legend>行业</legend>
      {rows?.map(({ id, name }) => (
        <Check
          key={id}
          checked={industryIds.includes(id)}
          disabled={least?.industryIds.includes(id) ? '该行业已经发布，撤回后才能去掉' : null}
          onChange={on =>
            onChange(on ? [...industryIds, id] : industryIds.filter(industry => industry !== id))
          }
        >
          {name}
        </Check>
      ))}
    </fieldset>
  )
}

function ChosenShops({ kind, audience, least, onChange }: PartProps<AudienceDraft['shops']>) {
  const { shops } = audience
  const [search, type] = useTypedSearch()
  const found = useQuery({
    ...templatesApi(kind).shops.query({ search }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const rows = (search === '' ? [] : (found.data?.rows ?? [])).filter(
    ({ id }) => !shops.some(shop => shop.id === id),
  )
  const isFull = shops.length >= TEMPLATE_LIMITS.shops
  return (
    <div className={styles.shops}>
      <Select
        label="指定店铺"
        value={undefined as number | undefined}
        options={rows.map(({ id, name, agentName }) => ({
          value: id,
          label: `${name}（${id}）${agentName}`,
        }))}
        onChange={chosen => {
          const row = rows.find(({ id }) => id === chosen)
          if (row) onChange([...shops, { id: row.id, name: row.name }])
          type('')
        }}
        onSearch={type}
        loading={found.isFetching}
        disabled={isFull}
        notFound={
          search === '' ? '输入店铺名称、账号或商户ID' : found.isFetching ? '加载中' : '没有匹配的店铺'
        }
        placeholder={
          isFull ? `最多指定 ${TEMPLATE_LIMITS.shops} 家店铺` : '店铺名称 / 账号 / 商户ID，可添加多家'
        }
      />
      {shops.length > 0 && (
        <ul className={styles.chips} aria-label="已指定的店铺">
          {shops.map(({ id, name }) => {
            const isKept = least?.shops.some(shop => shop.id === id) ?? false
            return (
              <li key={id}>
                <span>
                  {name} <span className={look.quiet}>{id}</span>
                </span>
                <Button
                  kind="quiet"
                  icon={<IconClose />}
                  aria-label={`去掉店铺 ${name}`}
                  disabled={isKept && '该店铺已经发布，撤回后才能去掉'}
                  onClick={() => onChange(shops.filter(shop => shop.id !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
