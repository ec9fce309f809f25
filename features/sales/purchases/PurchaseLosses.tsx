// What a purchase leaves behind, said before it is paid: branches that it does not reach, and the rest of a paid term.
import { ConfirmNote } from '#features/sales/selling/SaleConfirm.tsx'
import type { Forfeit } from '#features/shops/versions/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { leavesBranches, type Offer, type Shop } from './PurchaseDraft.tsx'

type BranchesProps = {
  shop: Shop
  offer: Offer | undefined
  /** Takes the version that head and branches can have together; absent where nothing can be chosen any more. */
  onChain?: (chain: Offer) => void
}

/** A head whose branches are not bought for: which they are, what becomes of them, and the version for all. */
export function BranchesLeft({ shop, offer, onChain }: BranchesProps) {
  if (!leavesBranches(shop, offer)) return null
  const isChain = offer?.pricingRule === 'perBranchYear'
  const chain = shop.offers.find(one => one.pricingRule === 'perBranchYear')
  const named = shop.branchNames.join('、')
  const more = shop.branchCount > shop.branchNames.length ? '等' : ''
  return (
    <ConfirmNote>
      该总店有 {formatCount(shop.branchCount)} 家分店（{named}
      {more}
      ），不在此次购买内：分店的版本和到期时间不变，
      {isChain
        ? '之后可随总店一起续费。'
        : '之后也不能随总店一起续费，只能各自续费或在我的商户中勾选批量续费。'}
      {onChain && chain && !isChain && (
        <Button kind="link" onClick={() => onChain(chain)}>
          {chain.isCurrent ? `改为续费${chain.versionName}，` : `改为${chain.versionName}，之后`}
          总店和分店可一起续费
        </Button>
      )}
    </ConfirmNote>
  )
}

/** What a change to a lifetime takes away. */
export function Forfeited({ forfeit }: { forfeit: Forfeit | null }) {
  if (!forfeit) return null
  const worth = forfeit.cents === null ? '' : `（按现价约值 ${formatCents(forfeit.cents)} 代币）`
  return (
    <ConfirmNote>
      当前版本剩余的 {formatCount(forfeit.days)} 天{worth}在更换为永久后作废，不退款，也不折抵价格。
    </ConfirmNote>
  )
}
