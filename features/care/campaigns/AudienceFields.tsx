import RegionFilter from '#features/office/regions/RegionFilter.tsx'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import { useSession } from '#web/client/session.ts'
import { AppliedText } from '#web/form/AppliedText.tsx'
import { Field } from '#web/form/Field.tsx'
import { FilterControl } from '#web/list/ListFilters.tsx'
import type { Options } from '#web/list/options.ts'
import type { AudienceFilters } from './AudienceWords.tsx'
import styles from './campaigns.module.css'
import { AUDIENCE_FILTERS } from './fields.ts'
import type { CampaignForm } from './useCampaignDraft.tsx'

/** Whom it is for: the filters of the list of shops, its manager, verification and region. */
export function AudienceFields({ form }: { form: CampaignForm }) {
  const session = useSession()
  const { audience } = form.draft
  const change = (changed: Partial<AudienceFilters>) =>
    form.change({ audience: without({ ...audience, ...changed }) })
  const control = (name: keyof typeof AUDIENCE_FILTERS) => (
    <FilterControl
      name={name}
      filter={AUDIENCE_FILTERS[name]}
      options={(SHOP_OPTIONS as Record<string, Options>)[name]}
      params={audience}
      onChange={change}
    />
  )
  return (
    <div className={styles.campaignTwo}>
      {session.isVendorStaff && control('agentId')}
      {control('expires')}
      {control('versionId')}
      {control('industryId')}
      <RegionFilter
        label="所在地区"
        value={audience.regionCode === undefined ? undefined : Number(audience.regionCode)}
        onChange={code => change({ regionCode: code === undefined ? undefined : String(code) })}
      />
      {control('managerId')}
      {control('registered')}
      {control('lastLoginDays')}
      {control('storeKind')}
      {control('verificationStatus')}
      {control('paymentMethodId')}
      <Field label="店铺 / 姓名 / 账号 / 推荐人包含" name="audience.search" form={form}>
        {control => (
          <AppliedText
            {...control}
            value={audience.search ?? ''}
            maxLength={50}
            placeholder="不限"
            onApply={search => change({ search: search || undefined })}
          />
        )}
      </Field>
    </div>
  )
}

function without(audience: AudienceFilters): AudienceFilters {
  return Object.fromEntries(Object.entries(audience).filter(([, value]) => value !== undefined))
}
