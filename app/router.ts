// Joins the features' routers and downloads.
import { accessRouter } from '#features/access/server.ts'
import { agentsRouter } from '#features/agents/server.ts'
import { ledgerRouter } from '#features/ledger/server.ts'
import { changesDownload } from '#features/ledger/server-export.ts'
import { merchantsRouter } from '#features/merchants/server.ts'
import { merchantsDownload } from '#features/merchants/server-export.ts'
import { versionsRouter } from '#features/versions/server.ts'

export const router = {
  access: accessRouter,
  agents: agentsRouter,
  versions: versionsRouter,
  ledger: ledgerRouter,
  merchants: merchantsRouter,
}

export const downloadHandlers = [merchantsDownload, changesDownload]
