import { serve } from '#server/serve.ts'
import { agentDesk as contract } from './contract.ts'
import { endOwnerSessions, listOwners, resetOwnerFactors } from './server-owners.ts'
import { listSecondary, secondaryAgents } from './server-secondary.ts'

export const agentDeskRouter = serve(contract, {
  owners: listOwners,
  resetOwnerFactors,
  endOwnerSessions,
  secondary: listSecondary,
  secondaryAgents,
})
