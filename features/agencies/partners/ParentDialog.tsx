import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { partners } from './contract.ts'
import { PARENT } from './fields.ts'
import styles from './partners.module.css'

const partnersApi = api<typeof partners>('partners')

type Preview = Out<typeof partners.previewParent>
type Props = { agent: { id: number; companyName: string }; onClose: () => void }

/** Another parent for a partner: what it changes for whom is shown before it is saved. */
export default function ParentDialog({ agent, onClose }: Props) {
  const shown = useRef<Preview | null>(null)
  return (
    <FormDialog
      title={`调整上级：${agent.companyName}`}
      submitText="调整上级"
      width={640}
      of={PARENT}
      refuse={() => {
        if (!shown.current) return { field: 'parentId', message: '正在检查，请稍候' }
        return shown.current.refusal === null ? null : { field: 'parentId', message: shown.current.refusal }
      }}
      question={() => ({
        title: `调整「${agent.companyName}」的上级？`,
        text: (
          <ul className={styles.effects}>
            {shown.current?.effects.map(({ whom, effect }) => (
              <li key={whom}>
                <b>{whom}</b>
                <br />
                {effect}
              </li>
            ))}
          </ul>
        ),
        confirmText: '调整上级',
      })}
      send={async ({ parentId }) => {
        await partnersApi
          .changeParent({ id: agent.id, parentId, seen: shown.current?.parent?.id ?? null })
          .catch((error: unknown) => {
            readAgain('partners', 'partnerDesk')
            throw error
          })
        toast.success('上级已调整，已通知相关各方')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form}>
            {{
              parentId: ({ id }) => (
                <AgentPicker
                  id={id}
                  placeholder="厂商直属"
                  value={form.draft.parentId ?? undefined}
                  onChange={parentId => form.change({ parentId: parentId ?? null })}
                />
              ),
            }}
          </FormFields>
          <PreviewOf
            id={agent.id}
            parentId={form.draft.parentId ?? undefined}
            onShown={preview => {
              shown.current = preview
            }}
          />
        </>
      )}
    </FormDialog>
  )
}

type PreviewProps = {
  id: number
  parentId: number | undefined
  /** What stands there now; null while it is asked for. */
  onShown: (preview: Preview | null) => void
}

function PreviewOf({ id, parentId, onShown }: PreviewProps) {
  const preview = useQuery({
    ...partnersApi.previewParent.query({ id, ...(parentId === undefined ? {} : { parentId }) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { data, isPlaceholderData } = preview
  onShown(data && !isPlaceholderData ? data : null)
  if (preview.isError) return <FormNote>{messageOf(preview.error)}</FormNote>
  if (!data) return <FormNote>加载中</FormNote>
  return (
    <section className={styles.preview} aria-label="调整的影响" aria-busy={isPlaceholderData}>
      <Facts>
        <Fact label="当前上级">
          {data.parent ? `${data.parent.companyName}（${data.parent.id}）` : '厂商直属'}
        </Fact>
        {data.refusal === null &&
          data.effects.map(({ whom, effect }) => (
            <Fact key={whom} label={whom}>
              {effect}
            </Fact>
          ))}
      </Facts>
      {data.refusal !== null && <FormNote>{data.refusal}</FormNote>}
    </section>
  )
}
