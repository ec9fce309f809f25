// The choices of the filters by which shops are found.
import { useQuery } from '@tanstack/react-query'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { REGION_OPTIONS } from '#features/office/regions/RegionOptions.tsx'
import { api } from '#web/client/api.ts'
import type { merchants } from './contract.ts'

const merchantsApi = api<typeof merchants>('merchants')

function useMerchantOptions(enabled: boolean) {
  return useQuery({ ...merchantsApi.options.query({}), enabled }).data
}

export const SHOP_OPTIONS = {
  versionId: { useRows: (wanted: boolean) => useMerchantOptions(wanted)?.versions },
  industryId: { useRows: (wanted: boolean) => useMerchantOptions(wanted)?.industries },
  paymentMethodId: { useRows: (wanted: boolean) => useMerchantOptions(wanted)?.paymentMethods },
  regionCode: REGION_OPTIONS,
  managerId: { useRows: (wanted: boolean) => useMerchantOptions(wanted)?.managers },
  agentId: AGENT_OPTIONS,
}
