import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { Form } from '#web/form/Form.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { TESTER } from './fields.ts'
import { programVersionsApi as from } from './programVersionsApi.tsx'
import { refuseWechat, VERSION_REFUSALS } from './rules.ts'
import styles from './versions.module.css'

/** Who may open the trial version; the platform keeps them, so that its list is asked for each time. */
export default function TestersDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery(from.testers.query({ id }))
  const removal = useMutation({
    mutationFn: async (userString: string) => {
      await from.removeTester({ id, userString })
      toast.success('体验者已移除')
      await reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      void data.refetch()
    },
  })
  const remove = async (userString: string, name: string) => {
    const isSure = await confirm({
      title: `移除体验者 ${name}`,
      text: '移除后不能再打开体验版，线上版不受影响。',
      confirmText: '移除',
      danger: true,
    })
    if (isSure) removal.mutate(userString)
  }
  const { testers = [] } = data.data ?? {}
  return (
    <Dialog title="体验者" width={560} onClose={onClose}>
      <div className={styles.told}>
        <p className={styles.quiet}>体验者可以扫描体验二维码打开还没有发布的版本。人数上限由微信决定。</p>
        {data.isError ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={3} />
        ) : testers.length === 0 ? (
          <p>还没有体验者，请在下方添加</p>
        ) : (
          <ul className={styles.list} aria-label="体验者名单">
            {testers.map(({ userString, wechatMasked, addedByName, addedAt }) => (
              <li key={userString}>
                <span>{wechatMasked ?? '由其他方式添加'}</span>
                <span className={styles.quiet}>
                  {addedAt && (
                    <>
                      {addedByName} <Instant at={addedAt} />
                    </>
                  )}
                </span>
                <Permit permission="programFlow.edit">
                  <Button
                    changes
                    kind="link"
                    busy={removal.isPending}
                    onClick={() => void remove(userString, wechatMasked ?? '')}
                  >
                    移除
                  </Button>
                </Permit>
              </li>
            ))}
          </ul>
        )}
        <Permit permission="programFlow.edit">
          <Form
            key={testers.length}
            of={TESTER}
            known={{ wechat: '' }}
            submitText="添加体验者"
            refuse={({ wechat }) => {
              const code = refuseWechat(wechat)
              return code === null ? [] : [{ field: 'wechat', message: VERSION_REFUSALS[code] }]
            }}
            send={({ wechat }) => from.addTester({ id, wechat })}
            onDone={async () => {
              toast.success('体验者添加成功')
              await reread()
            }}
          />
        </Permit>
      </div>
    </Dialog>
  )
}
