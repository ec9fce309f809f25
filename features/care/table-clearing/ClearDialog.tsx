import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { formatCount } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import styles from './clearing.module.css'
import { clearingApi, type ShopTable } from './clearingApi.tsx'
import { CLEARING } from './fields.ts'
import { CLEARING_REFUSALS, LIMITS, needsSecond, refuseName } from './rules.ts'

type Props = {
  shop: { id: number; shopName: string }
  table: ShopTable
  secondAbove: number
  onAsked: (id: number) => void
  onClose: () => void
}

/** What will happen, in words; the shop's name is typed, so that no other one is meant. */
export default function ClearDialog({ shop, table, secondAbove, onAsked, onClose }: Props) {
  const isHeld = needsSecond(table.rows, secondAbove, null)
  return (
    <FormDialog
      title={`清空「${shop.shopName}」的${table.name}？`}
      submitText={isHeld ? '提交审批' : `备份并清空${table.name}`}
      danger
      width={520}
      of={CLEARING}
      refuse={({ shopName }) => {
        const code = refuseName(shopName, shop.shopName)
        return code && { field: 'shopName', message: CLEARING_REFUSALS[code] }
      }}
      send={async ({ shopName, reason }, idempotencyKey) => {
        const { key, name, rows } = table
        const input = { merchantId: shop.id, table: key, tableName: name, rows, shopName, reason }
        // A page may have stood for long: what is there is asked for first.
        const asking = async () => {
          await clearingApi.tables({ merchantId: shop.id, table: key, rows })
          return clearingApi.ask(input, { idempotencyKey })
        }
        const { id, state } = await asking().catch((error: unknown) => {
          readAgain('tableClearing')
          throw error
        })
        toast.success(state === 'waiting' ? '已提交，等待第二人审批' : '已提交，正在备份')
        await reread()
        onAsked(id)
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <ul className={styles.consequences}>
            <li>
              收银系统中该店铺的{table.name}（<b>{formatCount(table.rows)} 行</b>
              ）将全部清空，店铺不再看到这些数据
            </li>
            <li>清空前先备份；备份不完整时不清空任何数据</li>
            <li>备份保留 {LIMITS.keptDays} 天，期间可以恢复；之后不能找回</li>
            {isHeld && <li>超过 {formatCount(secondAbove)} 行，另一位工作人员审批后才开始</li>}
            <li>清空后短信通知店铺</li>
          </ul>
          <FormFields
            form={form}
            only={['shopName']}
            told={{
              shopName: { label: `输入店铺名称「${shop.shopName}」以确认`, 'data-autofocus': true },
            }}
          />
          <ReasonField form={form} name="reason" of="tool" />
        </>
      )}
    </FormDialog>
  )
}
