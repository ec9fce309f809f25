import {
  type DraftForm,
  FormField,
  FormGrid,
  FormSection,
  fieldId,
  GroupField,
  GroupNote,
  groupOf,
} from '#features/merchants/FormField.tsx'
import { TERM_NAMES } from '#features/versions/rules.ts'
import { Choices, PERIOD_LABELS, PeriodPicker } from '#features/versions/VersionPicker.tsx'
import { formatCount } from '#kit/money.ts'
import { look } from '#web/look.ts'
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
import { LIMITS } from './rules.ts'

type Props = { form: DraftForm<Draft>; shop: Shop; offer: Offer | undefined; way: Way | undefined }

/** What is bought: version, way, branches, term and numbers (D2 §2.2, §5). */
export function PurchaseFields({ form, shop, offer, way }: Props) {
  const { draft } = form
  return (
    <>
      <FormSection title="软件版本" plain>
        <OfferPicker
          {...groupOf(form, 'versionId')}
          offers={shop.offers}
          value={draft.versionId}
          onChange={chosen => form.replace(withOffer(draft, chosen))}
        />
        <GroupNote form={form} name="versionId" />
      </FormSection>
      {offer && (
        <FormSection title="购买方式" plain>
          <GroupField>
            <Choices
              {...groupOf(form, 'scope')}
              label="购买方式"
              choices={offer.scopes.map(one => ({ value: one.scope, label: wayName(offer, one) }))}
              value={draft.scope}
              onChange={scope => {
                const chosen = offer.scopes.find(one => one.scope === scope)
                if (chosen) form.replace(withWay(draft, chosen))
              }}
            />
            <GroupNote form={form} name="scope" />
          </GroupField>
          {way?.asksBranches && (
            <GroupField label="分店">
              <BranchPicker
                id={fieldId('branchIds')}
                invalid={form.messageOf('branchIds') !== null}
                describedBy={`${fieldId('branchIds')}-note`}
                merchantId={shop.merchantId}
                chosen={draft.branches}
                onChange={branches => form.change({ branches })}
              />
              <GroupNote form={form} name="branchIds" />
            </GroupField>
          )}
          {way && <Terms form={form} way={way} />}
        </FormSection>
      )}
    </>
  )
}

function Terms({ form, way }: { form: DraftForm<Draft>; way: Way }) {
  const { draft } = form
  return (
    <FormGrid>
      <GroupField label="购买时限">
        <Choices
          {...groupOf(form, 'term')}
          label="购买时限"
          choices={way.terms.map(value => ({ value, label: TERM_NAMES[value] }))}
          value={draft.term}
          onChange={term => form.replace(withTerm(draft, term))}
        />
        <GroupNote form={form} name="term" />
      </GroupField>
      {way.periodsFixed !== null && (
        <GroupField label="年数" optional>
          <p id={fieldId('periods')}>{formatCount(way.periodsFixed)}（至总店到期）</p>
          <GroupNote form={form} name="periods" />
        </GroupField>
      )}
      {way.periodsFixed === null && draft.term !== null && draft.term !== 'lifetime' && (
        <GroupField label={PERIOD_LABELS[draft.term]}>
          <PeriodPicker
            {...groupOf(form, 'periods')}
            term={draft.term}
            value={draft.periods}
            onChange={periods => form.change({ periods })}
          />
          <GroupNote form={form} name="periods" />
        </GroupField>
      )}
      {way.asksShops && <ShopsField form={form} way={way} />}
      <RemarkField form={form} />
    </FormGrid>
  )
}

function ShopsField({ form, way }: { form: DraftForm<Draft>; way: Way }) {
  const isBranches = way.scope === 'addBranches'
  return (
    <FormField
      label={isBranches ? '增购分店数量' : '订购数量'}
      name="shops"
      form={form}
      required
      hint={isBranches ? '在现有分店之外增加的分店数' : '订购的店铺数'}
    >
      {({ status: _status, ...control }) => (
        <input
          {...control}
          className={look.input}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={form.draft.shops ?? ''}
          onChange={event => form.change({ shops: numberOf(event.target.value) })}
        />
      )}
    </FormField>
  )
}

/** What was typed as a number; null when nothing, NaN is never kept, since a draft is compared as text. */
function numberOf(text: string): number | null {
  const digits = text.replace(/\D/g, '')
  return digits === '' ? null : Number(digits)
}

function RemarkField({ form }: { form: DraftForm<Draft> }) {
  const length = [...form.draft.remark.trim()].length
  return (
    <FormField label="订单备注" name="remark" form={form} wide hint={`选填，${length} / ${LIMITS.remark}`}>
      {({ status: _status, ...control }) => (
        <input
          {...control}
          className={look.input}
          type="text"
          autoComplete="off"
          maxLength={200}
          placeholder={`选填，最多${LIMITS.remark}字`}
          value={form.draft.remark}
          onChange={event => form.change({ remark: event.target.value })}
          onKeyDown={event => {
            if (event.key === 'Enter' && event.nativeEvent.isComposing) event.preventDefault()
          }}
        />
      )}
    </FormField>
  )
}
