import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import type { agentDesk } from './contract.ts'
import { OWNER } from './fields.ts'
import { OWNER_REFUSALS, refuseChecked, refuseReset } from './rules.ts'

const agentDeskApi = api<typeof agentDesk>('agentDesk')

type Owner = Out<typeof agentDesk.owners>['rows'][number]
type Deed = 'factors' | 'sessions'
type Props = { agent: { id: number; companyName: string }; onClose: () => void }

/** For the owner of an agency who has lost a phone, or whose account is in other hands. */
export default function OwnerDialog({ agent, onClose }: Props) {
  const owners = useQuery(agentDeskApi.owners.query({ id: agent.id }))
  if (owners.data) return <OwnerForm agent={agent} owners={owners.data.rows} onClose={onClose} />
  return (
    <Dialog title={titleOf(agent)} onClose={onClose}>
      {owners.isError && <DialogText>{messageOf(owners.error)}</DialogText>}
    </Dialog>
  )
}

const titleOf = ({ companyName }: Props['agent']) => `账号安全：${companyName}`

function OwnerForm({ agent, owners, onClose }: Props & { owners: readonly Owner[] }) {
  const { accountId: me } = useSession()
  const [deed, setDeed] = useState<Deed>('factors')
  const ownerOf = (values: Meant<typeof OWNER>) => owners.find(({ id }) => id === values.accountId)
  return (
    <FormDialog
      title={titleOf(agent)}
      submitText={WORDS[deed]}
      danger
      of={OWNER}
      known={{ accountId: owners[0]?.id ?? 0 }}
      without={deed === 'factors' ? [] : ['checked']}
      refuse={values => {
        const owner = ownerOf(values)
        if (!owner) return { field: 'accountId', message: '该代理商没有主账号' }
        if (deed === 'sessions')
          return owner.id === me ? { field: 'accountId', message: OWNER_REFUSALS.OWNER_SELF } : null
        const reset = refuseReset(me, owner)
        if (reset) return { field: 'accountId', message: OWNER_REFUSALS[reset] }
        const checked = refuseChecked(values.checked)
        return checked && { field: 'checked', message: OWNER_REFUSALS[checked] }
      }}
      send={async ({ accountId, checked }) => {
        const which = { id: agent.id, accountId }
        if (deed === 'factors') {
          await agentDeskApi.resetOwnerFactors({ ...which, checked })
          toast.success('二次验证已重置，请告诉本人')
          return
        }
        const { ended } = await agentDeskApi.endOwnerSessions(which)
        toast.success(ended === 0 ? '没有登录中的设备' : `已下线 ${ended} 个设备`)
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['accountId']}>
            {{
              accountId: control => (
                <Select
                  {...control}
                  value={form.draft.accountId ?? undefined}
                  options={owners.map(owner => ({ value: owner.id, label: told(owner) }))}
                  onSearch={null}
                  onChange={accountId => form.change({ accountId: accountId ?? 0 })}
                />
              ),
            }}
          </FormFields>
          <Field form={form} name="deed" label="操作" group>
            {control => (
              <Choice
                {...control}
                look="lines"
                label="操作"
                options={DEEDS}
                value={deed}
                onChange={setDeed}
              />
            )}
          </Field>
          {deed === 'factors' ? (
            <>
              <FormFields form={form} only={['checked']} told={{ checked: { required: true } }} />
              <FormNote>
                验证器、通行密钥和恢复码都会失效，全部设备会下线；下次登录只需密码。本人会收到通知，双方的操作日志都会记录。
              </FormNote>
            </>
          ) : (
            <FormNote>正在使用的页面会回到登录页，用原密码可以再次登录。</FormNote>
          )}
        </>
      )}
    </FormDialog>
  )
}

const WORDS: Record<Deed, string> = { factors: '重置二次验证', sessions: '下线全部设备' }
const DEEDS = (Object.keys(WORDS) as Deed[]).map(value => ({ value, label: WORDS[value] }))

function told({ name, loginName, hasFactor, devices }: Owner): string {
  return `${name}（${loginName}）· ${hasFactor ? '已设' : '未设'}二次验证 · 登录 ${devices} 个设备`
}
