import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ledger } from '#features/money/ledger/contract.ts'
import type { merchants } from '#features/shops/merchants/contract.ts'
import type { Options } from '#features/shops/merchants/MerchantFields.tsx'
import type { versions } from '#features/shops/versions/contract.ts'
import { PricePanel } from '#features/shops/versions/PricePanel.tsx'
import { asksBranches, priceOf } from '#features/shops/versions/rules.ts'
import type { Version } from '#features/shops/versions/VersionPicker.tsx'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useForm } from '#web/form/useForm.ts'
import { AddMerchantConfirm } from './AddMerchantConfirm.tsx'
import { brokenRules, EMPTY_DRAFT, inputOf, purchaseOf } from './AddMerchantDraft.tsx'
import { AddMerchantFields } from './AddMerchantFields.tsx'
import { useSale } from './AddMerchantSale.tsx'
import { keepPassword } from './handed.tsx'
import { PriceColumn, SaleForm } from './SaleForm.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')
const ledgerApi = api<typeof ledger>('ledger')

/** Adding a shop by buying its first version (D1 §2, §4, §5). */
export default function AddMerchantPage() {
  const catalogue = useQuery(versionsApi.list.query())
  const options = useQuery(merchantsApi.options.query({}))
  const failed = [catalogue, options].find(query => query.isError)
  if (failed) return <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!catalogue.data || !options.data) return <LoadingLines />
  return (
    <TouchControls>
      <AddMerchantForm
        versions={catalogue.data.rows.filter(row => row.offeredOnAdd)}
        options={options.data}
      />
    </TouchControls>
  )
}

function AddMerchantForm({ versions: offered, options }: { versions: readonly Version[]; options: Options }) {
  const session = useSession()
  const navigate = useNavigate()
  const canSeeWallet = session.permissions.includes('ledger.wallet')
  const wallet = useQuery({ ...ledgerApi.wallet.query(), enabled: canSeeWallet })
  const versionOf = (id: number | null) => offered.find(version => version.id === id)
  const methodOf = (id: number | null) => options.paymentMethods.find(method => method.id === id)
  // No fields: a sale: what is asked for follows from the version that is chosen and its price; its texts are those of MERCHANT_FIELDS.
  const form = useForm({
    initial: EMPTY_DRAFT,
    judge: draft =>
      brokenRules(draft, versionOf(draft.versionId), methodOf(draft.paymentMethodId), session.accountFormat),
  })
  const { draft } = form
  const version = versionOf(draft.versionId)
  const sold = useRef(false)
  useLeaveGuard(() => form.dirty && !sold.current)
  const sale = useSale({
    onRefused: form.refuse,
    onSold: user_id => {
      sold.current = true
      keepPassword(user_id, draft.password)
      void navigate({ to: shopPath(session), search: { user_id }, replace: true })
    },
  })
  const purchase = version ? purchaseOf(draft, version) : null
  const counted = purchase && Number.isSafeInteger(purchase.shops + purchase.branches)
  const price = version && counted ? priceOf(version, purchase, session.discountBasisPoints) : null
  const submit = () => {
    if (form.passes() && version) sale.ask(inputOf(draft, version, methodOf(draft.paymentMethodId)))
  }
  return (
    <SaleForm
      title="新增商户"
      onSubmit={submit}
      fields={
        <AddMerchantFields
          form={form}
          versions={offered}
          version={version}
          options={options}
          accountFormat={session.accountFormat}
          smsLeft={wallet.data?.sms ?? null}
        />
      }
    >
      <PriceColumn price={price} busy={sale.quoting && !sale.offer}>
        <PricePanel
          versionName={version?.name ?? null}
          price={price}
          branches={version && asksBranches(version) ? draft.branches : null}
          balanceCents={wallet.data?.tokenCents ?? null}
        />
      </PriceColumn>
      {sale.offer && (
        <AddMerchantConfirm
          quote={sale.offer.quote}
          shopName={sale.offer.form.shopName}
          account={sale.offer.form.account}
          term={sale.offer.form.term}
          stale={sale.offer.stale}
          lost={sale.offer.lost}
          busy={sale.adding}
          onConfirm={sale.confirm}
          onCancel={sale.cancel}
        />
      )}
    </SaleForm>
  )
}

/** What the new shop is handed over with, for who may see that. */
function shopPath({ permissions }: Session) {
  return permissions.includes('shopAccess.handOver')
    ? '/admin/merchant/handOver'
    : '/admin/merchant/merchantDetails'
}
