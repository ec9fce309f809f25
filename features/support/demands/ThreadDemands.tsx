import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { isOverDrawer, useKeys } from '#web/keys/keys.ts'
import { useReadOnly } from '#web/shell/OwnAffairs.tsx'
import type { demands } from './contract.ts'
import styles from './demands.module.css'
import { DemandLink, demandsApi } from './demandsApi.tsx'
import { THREAD_LINK } from './fields.ts'
import { DemandPicker } from './LinkDialogs.tsx'
import { FORM_PATH } from './rules.ts'

type Thread = Out<typeof demands.thread>

/** In a thread: the demands that it has led to, and the key that makes one of it. */
export default function ThreadDemands({ threadId }: { threadId: number }) {
  const asked = useQuery(demandsApi.thread.query({ id: threadId }))
  const mayEdit = usePermission('demands.edit')
  if (!asked.data || (asked.data.demands.length === 0 && !mayEdit)) return null
  return (
    <section className={styles.ofThread} aria-label="需求">
      {asked.data.demands.length > 0 && (
        <ul className={styles.rows}>
          {asked.data.demands.map(demand => (
            <li key={demand.id}>
              <div>
                <span className={look.quiet}>需求</span> <DemandLink {...demand} />
              </div>
              {mayEdit && <Unlink demand={demand} />}
            </li>
          ))}
        </ul>
      )}
      {mayEdit && <Deeds thread={asked.data} />}
    </section>
  )
}

function Deeds({ thread }: { thread: Thread }) {
  const [linking, setLinking] = useState(false)
  const make = useMaking(thread)
  const isReadOnly = Boolean(useReadOnly())
  useKeys('反馈', [
    {
      press: 'd',
      does: '转为需求',
      everywhere: true,
      act: event => {
        if (!isOverDrawer(event) || isReadOnly || make.isPending) return
        event.preventDefault()
        make.mutate()
      },
    },
  ])
  return (
    <div className={styles.deeds}>
      <Button changes tip="快捷键 D" busy={make.isPending} onClick={() => make.mutate()}>
        转为需求
      </Button>
      <Button changes onClick={() => setLinking(true)}>
        关联已有需求
      </Button>
      {linking && <LinkDialog thread={thread} onClose={() => setLinking(false)} />}
    </div>
  )
}

/** Leads to the form of a demand that begins with what the shop said, with copies of its pictures. */
function useMaking({ id, feedbackId, pictures }: Thread) {
  const navigate = useNavigate()
  const open = (search: object) => void navigate({ to: FORM_PATH, search })
  return useMutation({
    mutationFn: async () =>
      pictures === 0 || feedbackId !== null ? [] : (await demandsApi.copyPictures({ id })).pictures,
    onSuccess: copies =>
      open(
        feedbackId === null
          ? { thread: id, pictures: copies.length > 0 ? copies.join(',') : undefined }
          : { feedback: feedbackId },
      ),
    onError: error => {
      toast.warning(`反馈中的图片没有带入需求：${messageOf(error)}`)
      open({ thread: id })
    },
  })
}

function Unlink({ demand }: { demand: Thread['demands'][number] }) {
  const unlink = useMutation({
    mutationFn: () => demandsApi.removeSource({ id: demand.id, sourceId: demand.sourceId }),
    onSuccess: () => toast.success('已取消关联'),
    onError: error => toast.error(messageOf(error)),
  })
  return (
    <Button
      kind="link"
      changes
      busy={unlink.isPending}
      aria-label={`取消关联：${demand.title}`}
      onClick={() => unlink.mutate()}
    >
      取消关联
    </Button>
  )
}

function LinkDialog({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  return (
    <FormDialog
      title="关联已有需求"
      submitText="关联需求"
      of={THREAD_LINK}
      send={async ({ demandId }) => {
        await demandsApi.addSource({ id: demandId, threadId: thread.id })
        toast.success('已关联')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>{thread.shopName}计入提出需求的店铺；需求上线时，商户在本对话中收到通知。</FormNote>
          <FormFields form={form}>
            {{
              demandId: control => (
                <DemandPicker
                  {...control}
                  without={thread.demands.map(({ id }) => id)}
                  value={form.draft.demandId}
                  onChange={demandId => form.change({ demandId })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
