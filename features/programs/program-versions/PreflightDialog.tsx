import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { Form } from '#web/form/Form.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { FEEDBACK } from './fields.ts'
import { type BoardData, programVersionsApi as from } from './programVersionsApi.tsx'
import { CHECKS, DEEDS, refuseFeedback, VERSION_REFUSALS } from './rules.ts'
import styles from './versions.module.css'

type Props = { data: BoardData; onCode: () => void; onClose: () => void }

/** What an audit would be refused for, read anew; each that is red with the button that mends it. Handed in once all is green. */
export default function PreflightDialog({ data, onCode, onClose }: Props) {
  const { id, checks, deed, version } = data
  const step = useMutation({
    mutationFn: async (send: () => Promise<unknown>) => {
      await send()
      await reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('programVersions')
    },
  })
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    step.mutate(() => from.look({ id }))
  }, [id, step.mutate])
  const isBusy = deed !== null || step.isPending
  const isReady = !isBusy && checks.length > 0 && checks.every(({ isGreen }) => isGreen)
  const mends = {
    profile: { label: '去提交资料', onClick: onClose },
    code: { label: '设置代码', onClick: onCode },
    privacy: { label: '重新声明', onClick: () => step.mutate(() => from.declarePrivacy({ id })) },
    domains: { label: '设置域名', onClick: () => step.mutate(() => from.setDomains({ id })) },
    read: { label: '重新检测', onClick: () => step.mutate(() => from.look({ id })) },
  }
  return (
    <Dialog title={`提交版本 ${version} 审核`} width={560} onClose={onClose}>
      <div className={styles.told}>
        <p className={styles.quiet}>
          每次提交都占用本月提审额度{data.quota ? `，还剩 ${data.quota.left} 次` : ''}。先确认以下各项：
        </p>
        {checks.length === 0 ? (
          <LoadingLines lines={7} />
        ) : (
          <ul className={styles.list} aria-label="自检">
            {checks.map(({ key, isGreen, words, mend }) => (
              <li key={key}>
                <StatusTag tone={isGreen ? 'done' : 'problem'}>{isGreen ? '通过' : '未通过'}</StatusTag>
                <span>
                  {CHECKS[key]}：{words}
                </span>
                {mend && (
                  <Button changes busy={isBusy} onClick={mends[mend].onClick}>
                    {mends[mend].label}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {data.message !== '' && (
          <p className={styles.message} role="status">
            {data.message}
          </p>
        )}
        {deed && (
          <p className={styles.quiet} role="status">
            {DEEDS[deed]}：正在等待微信答复…
          </p>
        )}
        {isReady && (
          <Form
            of={FEEDBACK}
            known={{ feedback: '' }}
            submitText="提交审核"
            refuse={({ feedback }) => {
              const code = refuseFeedback(feedback)
              return code === null ? [] : [{ field: 'feedback', message: VERSION_REFUSALS[code] }]
            }}
            send={({ feedback }) => from.submit({ id, feedback })}
            onDone={async () => {
              toast.success('正在提交审核')
              onClose()
              await reread()
            }}
          />
        )}
      </div>
    </Dialog>
  )
}
