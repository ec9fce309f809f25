import { useQuery } from '@tanstack/react-query'
import type { MerchantStatus } from '#features/shops/merchants/rules.ts'
import { CodeField } from '#features/shops/messages/CodeField.tsx'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { parseCount } from '#kit/words/count.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { sms } from './contract.ts'
import { RECALL } from './fields.ts'
import { RECALL_FAILED, refuseRecall, SMS_REFUSALS } from './rules.ts'
import styles from './sms.module.css'

const smsApi = api<typeof sms>('sms')

type Recallable = Out<typeof sms.recallable>
type Shop = { id: number; shopName: string; status: MerchantStatus }
type Props = { merchant: Shop; onClose: () => void }
type Values = Meant<typeof RECALL>

/** Takes SMS credit back from a shop (D2 §5): at least 1, at most what it holds, with a code where the shop asks for one. */
export default function SmsRecallDialog({ merchant, onClose }: Props) {
  const recallable = useQuery({
    ...smsApi.recallable.query({ merchantId: merchant.id }),
    staleTime: 0,
  })
  if (recallable.data) return <RecallForm merchant={merchant} shop={recallable.data} onClose={onClose} />
  return (
    <Dialog title="回收短信" onClose={onClose}>
      <div className={styles.smsBody}>
        {recallable.isError ? (
          <LoadFailure error={recallable.error} onRetry={() => void recallable.refetch()} />
        ) : (
          <LoadingLines lines={4} />
        )}
      </div>
    </Dialog>
  )
}

function RecallForm({ merchant, shop, onClose }: Props & { shop: Recallable }) {
  const refusal = shop.refusal?.message ?? (shop.credit === 0 ? SMS_REFUSALS.RECALL_EMPTY : null)
  return (
    <FormDialog<typeof RECALL>
      title={`回收短信：${merchant.shopName}`}
      submitText="回收"
      of={RECALL}
      without={shop.needsRecoveryCode ? [] : ['code']}
      refuse={values => (refusal === null ? brokenRule(values, shop) : { field: 'pieces', message: refusal })}
      question={values => ({
        title: `回收 ${formatCount(piecesOf(values))} 条短信？`,
        text: `「${merchant.shopName}」的短信余额将由 ${formatCount(shop.credit)} 条变为 ${formatCount(shop.credit - piecesOf(values))} 条，回收的短信退回代理商短信余额。回收后不能撤销。`,
        confirmText: '确认回收',
        danger: true,
      })}
      send={async (values, idempotencyKey) => {
        const recall = { merchantId: merchant.id, pieces: piecesOf(values), code: values.code }
        await smsApi.recall(recall, { idempotencyKey }).catch((error: unknown) => {
          if (!refusalOf(error)) toast.error(RECALL_FAILED)
          throw error
        })
        toast.success('回收成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {refusal && <p className={styles.smsNote}>{refusal}</p>}
          <dl className={styles.smsFacts}>
            <div>
              <dt>商户短信余额</dt>
              <dd>{formatCount(shop.credit)} 条</dd>
            </div>
            <div>
              <dt>代理商短信余额</dt>
              <dd>{formatCount(shop.agentSms)} 条</dd>
            </div>
          </dl>
          <FormFields
            form={form}
            told={{
              pieces: { required: true },
              code: { label: `${RECALL.code.label}（发送至 ${shop.phone}）`, required: true },
            }}
          >
            {{
              pieces: control => (
                <TextInput
                  {...control}
                  inputMode="numeric"
                  maxLength={8}
                  disabled={refusal !== null}
                  placeholder={`1 至 ${formatCount(shop.credit)}`}
                  unit={
                    <Button
                      kind="link"
                      disabled={refusal}
                      onClick={() => form.change({ pieces: String(shop.credit) })}
                    >
                      全部
                    </Button>
                  }
                  value={form.draft.pieces}
                  onChange={pieces => form.change({ pieces })}
                />
              ),
              code: control => (
                <CodeField
                  {...control}
                  merchantId={merchant.id}
                  purpose="recovery"
                  refusal={refusal}
                  value={form.draft.code}
                  onChange={code => form.change({ code })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}

/** Whole pieces; NaN when it is no such number. */
function piecesOf({ pieces }: Values): number {
  return parseCount(pieces) ?? Number.NaN
}

function brokenRule(values: Values, shop: Recallable) {
  const code = refuseRecall({ pieces: piecesOf(values), code: values.code }, shop)
  if (!code) return null
  return { field: code.startsWith('RECALL_') ? 'pieces' : 'code', message: SMS_REFUSALS[code] }
}
