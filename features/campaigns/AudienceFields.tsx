import { useQuery } from '@tanstack/react-query'
import { SHOP_OPTIONS } from '#features/merchants/MerchantOptions.tsx'
import { AppliedText } from '#web/form/AppliedText.tsx'
import { Cascade } from '#web/form/Cascade.tsx'
import { Field } from '#web/form/Field.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { FilterControl } from '#web/list/ListFilters.tsx'
import type { Options } from '#web/list/options.ts'
import { useSession } from '#web/session.ts'
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
      <RegionChoice value={audience.regionCode} onChange={regionCode => change({ regionCode })} />
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

/** A province, a city or a district. */
function RegionChoice({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (regionCode: string | undefined) => void
}) {
  const divisions = useQuery({
    queryKey: ['regions', 'divisions'],
    queryFn: async () => (await import('#features/regions/divisions.ts')).provinces(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const path =
    value && [2, 4, 6].filter(length => length <= value.length).map(length => value.slice(0, length))
  return (
    <Labelled label="所在地区">
      <Cascade
        aria-label="所在地区"
        options={divisions.data}
        path={path || undefined}
        onChange={codes => onChange(codes.at(-1))}
        anyStep
        placeholder="全部"
      />
    </Labelled>
  )
}
