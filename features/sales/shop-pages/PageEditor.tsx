import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { useForm } from '#web/form/useForm.ts'
import { BlockFields, NoticeFields } from './BlockFields.tsx'
import type { PageSettings, shopPages } from './contract.ts'
import styles from './customization.module.css'
import { Preview } from './Preview.tsx'
import { BLOCK_TYPE_KEYS, brokenIn, contentOf, type Draft, draftOf, isSame, PAGE_REFUSALS } from './rules.ts'
import { VersionsDialog } from './VersionsDialog.tsx'

const shopPagesApi = api<typeof shopPages>('shopPages')

/** The six blocks and the notices, with what shops will see beside them. */
export function PageEditor({ settings }: { settings: PageSettings }) {
  const { content, revision, draft, versions, companyName, logo } = settings
  const uploads = useUploads()
  const act = useRef<'save' | 'publish'>('save')
  const [showsVersions, setShowsVersions] = useState(false)
  // No fields: a designer: the page of a shop is its draft.
  const form = useForm<Draft>({
    initial: draftOf(content),
    judge: typed => {
      const sending = uploads.broken()
      if (sending) return sending
      return brokenIn(contentOf(typed)).map(({ field, code }) => ({ field, message: PAGE_REFUSALS[code] }))
    },
    send: async typed => {
      const asked = { content: contentOf(typed), revision }
      if (act.current === 'save') {
        await shopPagesApi.saveDraft(asked)
        toast.success('草稿已保存，发布后商户可见')
      } else {
        const { number } = await shopPagesApi.publish(asked)
        toast.success(`已发布第 ${number} 版`)
      }
      form.rebase(typed, typed)
      await reread()
    },
  })
  const renew = useEffectEvent(() => {
    const fresh = draftOf(content)
    if (!form.dirty) form.rebase(fresh, fresh)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each state that was saved.
  useEffect(() => renew(), [revision])
  useLeaveGuard(form.isUnsaved, { draws: true })
  const published = versions[0]
  const typed = contentOf(form.draft)
  const isPublished = published !== undefined && isSame(published.content, typed)
  const submit = async (what: 'save' | 'publish') => {
    if (form.busy || !form.passes()) return
    const question = {
      title: '发布到所有门店页面？',
      text: '商户再次打开页面时即可看到',
      confirmText: '发布',
    }
    if (what === 'publish' && !(await confirm(question))) return
    act.current = what
    await form.submit()
  }
  return (
    <div className={styles.editor}>
      <FormElement className={styles.form} onSubmit={() => void submit('save')}>
        <p className={styles.state}>
          {published ? (
            <>
              已发布第 {published.number} 版，{published.publishedByName}{' '}
              <Instant at={published.publishedAt} />
            </>
          ) : (
            '尚未发布，商户的页面只显示门店信息'
          )}
          {draft && !isPublished && (
            <>
              ；草稿由 {draft.savedByName} 保存于 <Instant at={draft.savedAt} />
            </>
          )}
        </p>
        {BLOCK_TYPE_KEYS.map(type => (
          <BlockFields key={type} type={type} form={form} uploads={uploads} />
        ))}
        <NoticeFields form={form} />
        <p className={styles.problem} role="alert">
          {form.message}
        </p>
        <ActionBar>
          <Button disabled={versions.length === 0 && '还没有发布过'} onClick={() => setShowsVersions(true)}>
            历史版本
          </Button>
          <Button
            type="submit"
            changes
            busy={form.busy && act.current === 'save'}
            disabled={!form.dirty && '没有修改'}
          >
            保存草稿
          </Button>
          <Button
            kind="primary"
            busy={form.busy && act.current === 'publish'}
            disabled={isPublished && PAGE_REFUSALS.NOTHING_TO_PUBLISH}
            onClick={() => void submit('publish')}
          >
            发布
          </Button>
        </ActionBar>
      </FormElement>
      <Preview content={typed} agent={{ name: companyName, logo }} />
      {showsVersions && (
        <VersionsDialog
          versions={versions}
          agent={{ name: companyName, logo }}
          isDirty={form.dirty}
          onRestored={restored => form.rebase(draftOf(restored), draftOf(restored))}
          onClose={() => setShowsVersions(false)}
        />
      )}
    </div>
  )
}
