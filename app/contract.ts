// Joins the features' contracts; the page's client and the API description are made from it.
import { access } from '#features/access/contract.ts'
import { agents } from '#features/agents/contract.ts'
import { ledger, ledgerDownloads } from '#features/ledger/contract.ts'
import { merchantDownloads, merchants } from '#features/merchants/contract.ts'
import { versions } from '#features/versions/contract.ts'

export const contract = { access, agents, versions, ledger, merchants }

export const downloads = { ledger: ledgerDownloads, merchants: merchantDownloads }
