import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { FileLink } from '#web/form/files/FileLink.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { refuseByHand, refuseDecision, refuseHandIn } from './rules.ts'

export type Asking = 'complete' | 'reject' | 'refuse' | 'code' | 'standing' | 'remark' | 'handOver'
const PRIMARY = { kind: 'primary' } as const
type Props = { data: AcquirerData; onAsk: (what: Asking) => void; more: readonly RowAction[] }

/** The next step first; what cannot be done now is not there. */
export function AcquirerDeeds({ data, onAsk, more }: Props) {
  const { id, revision, lacking, isActive } = data
  const mayEdit = usePermission('acquirerOnboardings.edit')
  const mayDecide = usePermission('acquirerOnboardings.decide')
  const deed = useMutation({
    mutationFn: async ({ run }: { run: () => Promise<unknown>; done: string }) => run(),
    onSuccess: (_, { done }) => {
      toast.success(done)
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('acquirerOnboardings')
    },
  })
  const does = (done: string, run: () => Promise<unknown>) => deed.mutate({ done, run })
  const mayFill = mayEdit && data.editRefusal === null
  const mayTake = (step: 'send' | 'refuse' | 'open') => mayDecide && refuseByHand(data, step) === null
  const mayHandIn =
    mayDecide && data.isConnected && refuseHandIn(data, { isConnected: true, lacking: 0 }) === null
  // What its protocol asks about is not waited for by hand.
  const isAnswered = data.state === 'sent' && data.handingIn === 'none'
  // By hand where no protocol is spoken, and where nothing comes of it.
  const isByHand = !data.isConnected || data.handingIn === 'stuck'
  const isPending = mayDecide && refuseDecision(data, 'approve') === null
  const isBehind = data.code !== '' && data.code !== data.handedOverCode
  const putAside = async () => {
    const sure = await confirm({
      title: '停用该进件？',
      text: '停用后不再出现在待办中，也不能继续办理，可随时重新启用。',
      confirmText: '停用',
      danger: true,
    })
    if (sure) does('已停用', () => acquirerApi.setActive({ id, revision, isActive: false }))
  }
  return (
    <div className={styles.steps}>
      {mayFill && (
        <>
          <Button
            changes
            kind="primary"
            busy={deed.isPending}
            disabled={lacking.length > 0 && '资料还没有补全'}
            onClick={() =>
              does(`已提交，${data.hours} 小时内给出结果`, () => acquirerApi.submit({ id, revision }))
            }
          >
            提交审核
          </Button>
          <Button changes onClick={() => onAsk('complete')}>
            填写资料
          </Button>
        </>
      )}
      {isPending && (
        <>
          <Button
            changes
            kind="primary"
            busy={deed.isPending}
            onClick={() => does('已通过', () => acquirerApi.approve({ id, revision }))}
          >
            通过
          </Button>
          <Button changes onClick={() => onAsk('reject')}>
            驳回
          </Button>
        </>
      )}
      {mayDecide && isActive && data.state === 'opened' && (
        <Button changes {...(isBehind && PRIMARY)} onClick={() => onAsk('handOver')}>
          交接收款配置
        </Button>
      )}
      {mayHandIn && (
        <Button
          changes
          kind="primary"
          busy={deed.isPending}
          disabled={lacking.length > 0 && '资料不完整，请核对后再提交'}
          onClick={() => does('正在提交渠道', () => acquirerApi.handIn({ id, revision }))}
        >
          {data.handingIn === 'stuck' ? '立即重试' : '提交渠道'}
        </Button>
      )}
      {mayTake('send') && isByHand && (
        <Button
          changes
          {...(!data.isConnected && PRIMARY)}
          busy={deed.isPending}
          onClick={() => does('已登记送件', () => acquirerApi.send({ id, revision }))}
        >
          已送达渠道
        </Button>
      )}
      {mayTake('open') && (
        <Button changes {...(isAnswered && PRIMARY)} onClick={() => onAsk('code')}>
          {data.code === '' ? '填写商户编号' : '修改商户编号'}
        </Button>
      )}
      {mayTake('refuse') && (
        <Button changes onClick={() => onAsk('refuse')}>
          渠道驳回
        </Button>
      )}
      {mayDecide && data.approvalState === 'approved' && isByHand && (
        <FileLink href={`/api/acquirer-onboardings/${id}/package`} rows={null}>
          下载进件资料包
        </FileLink>
      )}
      {mayDecide && data.code !== '' && (
        <Button changes kind="quiet" onClick={() => onAsk('standing')}>
          商户状态
        </Button>
      )}
      {mayEdit && (
        <Button changes kind="quiet" onClick={() => onAsk('remark')}>
          备注
        </Button>
      )}
      {mayDecide &&
        (isActive ? (
          <Button changes kind="quiet" onClick={() => void putAside()}>
            停用
          </Button>
        ) : (
          <Button
            changes
            busy={deed.isPending}
            onClick={() => does('已启用', () => acquirerApi.setActive({ id, revision, isActive: true }))}
          >
            启用
          </Button>
        ))}
      {more.map(({ key, label, onClick }) => (
        <Button key={key} kind="quiet" onClick={onClick}>
          {label}
        </Button>
      ))}
    </div>
  )
}
