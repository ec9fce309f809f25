import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RightsTree } from '#features/agencies/team/RightsTree.tsx'
import type { Meant, Typed } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import styles from './api-keys.module.css'
import type { apiKeys, KeyRow } from './contract.ts'
import { KEY, KEY_FIELDS } from './fields.ts'
import { addressesIn, brokenKey, KEY_REFUSALS, LIMITS, RATES } from './rules.ts'
import type { GivenToken } from './TokenDialog.tsx'

const keysApi = api<typeof apiKeys>('apiKeys')
const WIDTH = 720

type Props = { row: KeyRow | null; onClose: () => void; onGiven: (given: GivenToken) => void }
type Details = Out<typeof apiKeys.details>
type Node = Out<typeof apiKeys.tree>['nodes'][number]

/** What a program may do, from where, until when and how often. */
export default function KeyDialog(props: Props) {
  const { row, onClose } = props
  const tree = useQuery(keysApi.tree.query())
  const details = useQuery({ ...keysApi.details.query({ id: row?.id ?? 0 }), enabled: row !== null })
  const title = titleOf(row)
  const failed = [tree, details].find(({ isError }) => isError)
  const known = row === null ? NEW : details.data
  if (tree.data && known) return <Opened {...props} nodes={tree.data.nodes} details={known} />
  return (
    <Dialog title={title} width={WIDTH} onClose={onClose} footer={<CloseButton />}>
      <div className={styles.waiting}>
        {failed ? (
          <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <LoadingLines lines={12} />
        )}
      </div>
    </Dialog>
  )
}

const NEW: Details = { nodeIds: [], lost: [], addresses: [] }
const titleOf = (row: KeyRow | null) => (row ? `编辑密钥：${row.name}` : '新建接口密钥')

type Rights = { nodeIds: readonly number[] }
type Values = Meant<typeof KEY> & Rights

function Opened({
  row,
  nodes,
  details,
  onClose,
  onGiven,
}: Props & { nodes: readonly Node[]; details: Details }) {
  const today = formatDay(new Date())
  let given: GivenToken | null = null
  const known = {
    ...row,
    expiresOn: row?.expiresOn ?? addDays(today, LIMITS.daysAtFirst),
    addresses: details.addresses.join('\n'),
  }
  const sent = (values: Values) => ({
    ...values,
    addresses: addressesIn(values.addresses),
    nodeIds: [...values.nodeIds],
  })
  return (
    <FormDialog<typeof KEY, Rights>
      title={titleOf(row)}
      submitText={row ? '保存' : '生成密钥'}
      width={WIDTH}
      of={KEY}
      known={known}
      more={{ nodeIds: details.nodeIds.filter(id => nodes.some(node => node.id === id)) }}
      refuse={values =>
        brokenKey(sent(values), today, row ?? undefined).map(({ field, code }) => ({
          field,
          message: KEY_REFUSALS[code],
        }))
      }
      send={async values => {
        const form = sent(values)
        if (row) {
          await keysApi.edit({ id: row.id, ...form })
          toast.success('修改成功，5 秒内生效')
        } else {
          const { token, firstCall } = await keysApi.add(form)
          given = { name: form.name.trim(), token, firstCall, isNew: true }
        }
        await reread()
      }}
      onDone={() => {
        if (given) onGiven(given)
        else onClose()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {details.lost.length > 0 && (
            <FormNote>
              您已没有以下权限，密钥也不能使用：{details.lost.join('、')}。保存后会从密钥中移除。
            </FormNote>
          )}
          <FormGrid>
            <FormFields form={form} told={{ name: { required: true }, addresses: { wide: false } }}>
              {{
                expiresOn: control => (
                  <Day
                    {...control}
                    value={form.draft.expiresOn}
                    onChange={day => day && form.change({ expiresOn: day })}
                    first={today}
                    last={addDays(today, LIMITS.days)}
                    allowClear={false}
                    presets={TERMS.map(([label, days]) => ({ label, day: addDays(today, days) }))}
                  />
                ),
                perMinute: control => (
                  <Select
                    {...control}
                    value={form.draft.perMinute ?? undefined}
                    options={RATE_OPTIONS}
                    onSearch={null}
                    onChange={perMinute => perMinute !== undefined && form.change({ perMinute })}
                  />
                ),
              }}
            </FormFields>
          </FormGrid>
          <Verbs form={form} nodes={nodes} />
        </>
      )}
    </FormDialog>
  )
}

const TERMS = [
  ['30 天', 30],
  ['90 天', 90],
  ['半年', 182],
  ['一年', 365],
] as const
const RATE_OPTIONS = Object.entries(RATES).map(([value, label]) => ({ value: Number(value), label }))

function Verbs({ form, nodes }: { form: Form<Typed<typeof KEY> & Rights>; nodes: readonly Node[] }) {
  const [search, setSearch] = useState('')
  return (
    <Field
      form={form}
      name="nodeIds"
      label={KEY_FIELDS.verbs.label}
      required
      group
      hint={`已选 ${form.draft.nodeIds.length} 项。只列出您有且程序可用的权限；须当场验证的操作（划拨、退款、员工与密钥等）不能授予`}
    >
      {control => (
        <div id={control.id} className={styles.verbs}>
          <TextInput
            value={search}
            onChange={setSearch}
            placeholder="搜索页面或操作"
            aria-label="搜索页面或操作"
          />
          <RightsTree
            nodes={nodes}
            held={new Set(form.draft.nodeIds)}
            compared={null}
            search={search}
            onChange={held => form.change({ nodeIds: rightsIn(nodes, held) })}
          />
        </div>
      )}
    </Field>
  )
}

/** What the ticks mean, of what can be given: a page that no program reads is a group here. */
function rightsIn(nodes: readonly Node[], held: ReadonlySet<number>): number[] {
  return nodes.filter(({ id, path }) => path !== '' && held.has(id)).map(({ id }) => id)
}
