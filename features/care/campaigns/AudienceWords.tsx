import type { z } from 'zod'
import { useRegionName } from '#features/office/regions/useDivisions.tsx'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import { useChips } from '#web/list/useChips.ts'
import styles from './campaigns.module.css'
import type { Audience } from './contract.ts'
import { AUDIENCE_FILTERS } from './fields.ts'

export type AudienceFilters = z.output<typeof Audience>

/** Whom a campaign reaches, in words; names are fetched only for filters that hold an id. */
export function AudienceWords({ audience }: { audience: AudienceFilters }) {
  const words = useAudienceWords(audience)
  if (words.length === 0) return <>全部正常商户</>
  return (
    <span className={styles.campaignWords}>
      {words.map(({ label, text }) => (
        <span key={label}>
          <i>{label}</i> {text}
        </span>
      ))}
    </span>
  )
}

export function useAudienceWords(audience: AudienceFilters): { label: string; text: string }[] {
  const { search, regionCode } = audience
  const chips = useChips(AUDIENCE_FILTERS, SHOP_OPTIONS, audience)
  const region = useRegionName(regionCode)
  return [
    ...(search ? [{ label: '包含', text: search }] : []),
    ...chips,
    ...(regionCode === undefined ? [] : [{ label: '地区', text: region || regionCode }]),
  ]
}
