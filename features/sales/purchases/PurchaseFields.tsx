import { TERM_NAMES } from '#features/shops/versions/rules.ts'
import { VersionContents } from '#features/shops/versions/VersionContents.tsx'
import { PERIOD_LABELS, PeriodPicker } from '#features/shops/versions/VersionPicker.tsx'
import { YearInstead } from '#features/shops/versions/YearInstead.tsx'
import { formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { Choice } from '#web/form/Choice.tsx'
import { Field, FormGrid, FormSection } from '#web/form/Field.tsx'
import { NumberField } from '#web/form/NumberField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { BranchPicker } from './BranchPicker.tsx'
import { OfferPicker } from './OfferPicker.tsx'
import {
  type Draft,
  type Offer,
  type Shop,
  type Way,
  wayName,
  withOffer,
  withTerm,
  withWay,
} from './PurchaseDraft.tsx'
import { BranchesLeft } from './PurchaseLosses.tsx'
import { LIMITS } from './rules.ts'

type Props = { form: Form<Draft>; shop: Shop; offer: Offer | undefined; way: Way | undefined }

/** What is bought: version, way, branches, term and numbers (D2 §2.2, §5). */
export function PurchaseFields({ form, shop, offer, way }: Props) {
  const { draft } = form
  return (
    <>
      <FormSection title="软件版本" plain>
        <Field form={form} name="versionId" required group>
          {control => (
            <OfferPicker
              {...control}
              offers={shop.offers}
              value={draft.versionId}
              onChange={chosen => form.change(withOffer(draft, chosen))}
            />
          )}
        </Field>
        <VersionContents
          versions={shop.offers.map(({ versionId: id, versionName: name, functions }) => ({
            id,
            name,
            functions,
          }))}
          chosen={draft.versionId}
        />
      </FormSection>
      {offer && (
        <FormSection title="购买方式" plain>
          <Field form={form} name="scope" required group>
            {control => (
              <Choice
                {...control}
                label="购买方式"
                options={offer.scopes.map(one => ({ value: one.scope, label: wayName(offer, one) }))}
                value={draft.scope}
                onChange={scope => {
                  const chosen = offer.scopes.find(one => one.scope === scope)
                  if (chosen) form.change(withWay(draft, chosen))
                }}
              />
            )}
          </Field>
          {way?.asksBranches && (
            <Field form={form} name="branchIds" label="分店" required group>
              {control => (
                <BranchPicker
                  {...control}
                  merchantId={shop.merchantId}
                  chosen={draft.branches}
                  onChange={branches => form.change({ branches })}
                />
              )}
            </Field>
          )}
          <BranchesLeft shop={shop} offer={offer} onChain={chain => form.change(withOffer(draft, chain))} />
          {way && <Terms form={form} shop={shop} offer={offer} way={way} />}
        </FormSection>
      )}
    </>
  )
}

type TermsProps = { form: Form<Draft>; shop: Shop; offer: Offer; way: Way }

function Terms({ form, shop, offer, way }: TermsProps) {
  const { draft } = form
  const { term } = draft
  return (
    <FormGrid>
      <Field form={form} name="term" label="购买时限" required group>
        {control => (
          <Choice
            {...control}
            label="购买时限"
            options={way.terms.map(value => ({ value, label: TERM_NAMES[value] }))}
            value={term}
            onChange={chosen => form.change(withTerm(draft, chosen))}
          />
        )}
      </Field>
      {way.periodsFixed !== null && (
        <Field form={form} name="periods" label="年数" group>
          {({ id }) => <p id={id}>{formatCount(way.periodsFixed ?? 0)}（至总店到期）</p>}
        </Field>
      )}
      {way.periodsFixed === null && term !== null && term !== 'lifetime' && (
        <Field form={form} name="periods" label={PERIOD_LABELS[term]} required group>
          {control => (
            <PeriodPicker
              {...control}
              term={term}
              value={draft.periods}
              onChange={periods => form.change({ periods })}
            />
          )}
        </Field>
      )}
      {way.periodsFixed === null && (
        <YearInstead
          versions={[{ ...offer, name: offer.versionName }]}
          term={term}
          months={draft.periods}
          onYear={() => form.change(withTerm(draft, 'year'))}
        />
      )}
      {way.asksShops && <ShopsField form={form} shop={shop} way={way} />}
      <RemarkField form={form} />
    </FormGrid>
  )
}

function ShopsField({ form, shop, way }: Pick<TermsProps, 'form' | 'shop' | 'way'>) {
  const isBranches = way.scope === 'addBranches'
  const beside = shop.branchCount > 0 ? `，不含已有的 ${formatCount(shop.branchCount)} 家分店` : ''
  return (
    <NumberField
      form={form}
      name="shops"
      label={isBranches ? '增购分店数量' : '订购数量'}
      required
      hint={isBranches ? '在现有分店之外增加的分店数' : `订购的店铺数${beside}`}
    />
  )
}

function RemarkField({ form }: { form: Form<Draft> }) {
  const length = lengthOf(form.draft.remark)
  return (
    <TextField
      form={form}
      name="remark"
      label="订单备注"
      wide
      hint={`选填，${length} / ${LIMITS.remark}`}
      maxLength={200}
      placeholder={`选填，最多${LIMITS.remark}字`}
    />
  )
}
