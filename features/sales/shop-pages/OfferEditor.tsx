import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { Switch } from '#web/form/Check.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextInput } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import type { shopPages } from './contract.ts'
import styles from './customization.module.css'
import { LIMITS, PRICE_REFUSALS, priceField, refuseOffer } from './rules.ts'

const shopPagesApi = api<typeof shopPages>('shopPages')

type Offer = Out<typeof shopPages.offer>
/** By the field's name; blank is not offered. */
type Draft = { enabled: boolean } & Record<string, string | boolean>

const YEARS = Array.from({ length: LIMITS.yearsMax }, (_, i) => i + 1)

/** Whether shops renew at their page, and the yuan of each version and number of years. */
export default function OfferEditor() {
  const offer = useQuery(shopPagesApi.offer.query())
  if (offer.isError) return <LoadFailure error={offer.error} onRetry={() => void offer.refetch()} />
  return offer.data ? <Editor key={offer.data.revision} offer={offer.data} /> : <LoadingLines lines={8} />
}

function Editor({ offer }: { offer: Offer }) {
  const { versions, refusal, revision } = offer
  // No fields: a table of versions by years, whose fields are cells.
  const form = useForm<Draft>({
    initial: draftOf(offer),
    judge: draft => {
      const broken = refuseOffer(offerOf(draft, versions))
      const field = broken?.field === 'prices' ? 'enabled' : broken?.field
      return broken && { field: field ?? 'enabled', message: PRICE_REFUSALS[broken.code] }
    },
    send: async draft => {
      await shopPagesApi.setOffer({ ...offerOf(draft, versions), revision })
      toast.success(draft.enabled ? '在线续费已保存，商户可在门店页面续费' : '在线续费已保存，未启用')
      form.rebase(draft, draft)
      await reread()
    },
  })
  useLeaveGuard(form.isUnsaved, { draws: true })
  return (
    <FormElement className={styles.offer} onSubmit={() => void form.submit()}>
      <Field
        form={form}
        name="enabled"
        label="开放在线续费"
        hint={refusal?.message ?? '商户扫码付款到您自己的收款账户，系统随即扣除您的代币并续费'}
      >
        {control => (
          <Switch
            {...control}
            checked={form.draft.enabled}
            disabled={form.draft.enabled ? null : refusal?.message}
            onChange={enabled => form.change({ enabled })}
          />
        )}
      </Field>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className={styles.prices} aria-label="续费价格" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                软件版本
                <small>每家店铺的售价（元），留空则不提供</small>
              </th>
              {YEARS.map(years => (
                <th key={years} scope="col">
                  {years} 年
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {versions.map(version => (
              <tr key={version.id}>
                <th scope="row">
                  {version.name}
                  <small>结算 {formatCents(version.yearCents)} 代币 / 年</small>
                  {version.sellingFen !== null && (
                    <Button
                      kind="link"
                      onClick={() => form.change(sellingPrices(version.id, version.sellingFen ?? 0))}
                    >
                      按我的售价填写
                    </Button>
                  )}
                </th>
                {YEARS.map(years => {
                  const name = priceField(version.id, years)
                  const cost = version.yearCents * years
                  const price = fenOf(form.draft[name])
                  return (
                    <td key={years}>
                      <Field form={form} name={name}>
                        {control => (
                          <TextInput
                            {...control}
                            aria-label={`${version.name} ${years} 年售价（元）`}
                            value={String(form.draft[name] ?? '')}
                            onChange={text => form.change({ [name]: text })}
                            inputMode="decimal"
                            maxLength={12}
                          />
                        )}
                      </Field>
                      {price > 0 && (
                        <small data-loss={price < cost || undefined}>
                          {price < cost ? '低于结算价 ' : '毛利 '}
                          {formatCents(Math.abs(price - cost))}
                        </small>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.state}>
        {offer.savedAt === null ? (
          '尚未设置'
        ) : (
          <>
            由 {offer.savedByName} 保存于 <Instant at={offer.savedAt} />
          </>
        )}
        。毛利按 1 代币 = 1 元计。
      </p>
      <p className={styles.problem} role="alert">
        {form.message}
      </p>
      <ActionBar>
        <Button kind="primary" type="submit" busy={form.busy} disabled={!form.dirty && '没有修改'}>
          保存
        </Button>
      </ActionBar>
    </FormElement>
  )
}

function draftOf({ enabled, prices }: Offer): Draft {
  const typed = prices.map(({ versionId, years, priceFen }) => [
    priceField(versionId, years),
    formatCents(priceFen).replaceAll(',', ''),
  ])
  return { ...(Object.fromEntries(typed) as Record<string, string>), enabled }
}

/** Blank is not offered; what is no price is none that any rule lets pass. */
function fenOf(typed: string | boolean | undefined): number {
  return parseCents(String(typed ?? '')) ?? Number.NaN
}

function offerOf(draft: Draft, versions: Offer['versions']) {
  const prices = versions.flatMap(({ id: versionId }) =>
    YEARS.flatMap(years => {
      const typed = String(draft[priceField(versionId, years)] ?? '')
      return typed.trim() === '' ? [] : [{ versionId, years, priceFen: fenOf(typed) }]
    }),
  )
  return { enabled: draft.enabled, prices }
}

function sellingPrices(versionId: number, yearFen: number): Record<string, string> {
  return Object.fromEntries(
    YEARS.map(years => [priceField(versionId, years), formatCents(yearFen * years).replaceAll(',', '')]),
  )
}
