import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import type { merchants } from './contract.ts'
import { Choice, choicesOf, DayRange } from './FilterControls.tsx'
import { type ListParams, lastLoginText } from './MerchantFilterChips.tsx'
import { LAST_LOGIN_DAYS, STORE_KINDS } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')

type Filters = Pick<
  ListParams,
  | 'registeredFrom'
  | 'registeredTo'
  | 'expiresFrom'
  | 'expiresTo'
  | 'lastLoginDays'
  | 'versionId'
  | 'industryId'
  | 'storeKind'
  | 'paymentMethodId'
>
type Shown = 'registered' | 'expires' | 'lastLogin' | 'version' | 'industry' | 'storeKind' | 'paymentMethod'

/** The controls by which shops are found wherever they are, by their names; each page puts them in its own order. */
export function useShopFilters(
  filters: Filters,
  onChange: (changed: Partial<Filters>) => void,
): Record<Shown, ReactNode> {
  const options = useQuery({ queryKey: ['merchants', 'options'], queryFn: () => merchantsApi.options({}) })
  const catalogue = useQuery(versionsApi.list.query())
  return {
    registered: (
      <DayRange
        label="注册时间"
        from={filters.registeredFrom}
        to={filters.registeredTo}
        direction="past"
        onChange={(registeredFrom, registeredTo) => onChange({ registeredFrom, registeredTo })}
      />
    ),
    expires: (
      <DayRange
        label="到期时间"
        from={filters.expiresFrom}
        to={filters.expiresTo}
        direction="coming"
        onChange={(expiresFrom, expiresTo) => onChange({ expiresFrom, expiresTo })}
      />
    ),
    lastLogin: (
      <Choice
        label="最近登录"
        value={filters.lastLoginDays}
        options={[0, ...LAST_LOGIN_DAYS].map(value => ({ value, label: lastLoginText(value) }))}
        onChange={lastLoginDays => onChange({ lastLoginDays })}
      />
    ),
    version: (
      <Choice
        label="软件版本"
        value={filters.versionId}
        options={catalogue.data?.rows.map(named)}
        onChange={versionId => onChange({ versionId })}
      />
    ),
    industry: (
      <Choice
        label="行业类型"
        value={filters.industryId}
        options={options.data?.industries.map(named)}
        onChange={industryId => onChange({ industryId })}
      />
    ),
    storeKind: (
      <Choice
        label="门店类型"
        value={filters.storeKind}
        options={choicesOf(STORE_KINDS)}
        onChange={storeKind => onChange({ storeKind })}
      />
    ),
    paymentMethod: (
      <Choice
        label="支付方式"
        value={filters.paymentMethodId}
        options={options.data?.paymentMethods.map(named)}
        onChange={paymentMethodId => onChange({ paymentMethodId })}
      />
    ),
  }
}

const named = (row: { id: number; name: string }) => ({ value: row.id, label: row.name })
