import { listCategories } from '#features/programs/program-categories/server.ts'
import { findByAccount } from '#features/shops/merchants/server-list.ts'
import { serve } from '#server/serve.ts'
import { programApplications as contract } from './contract.ts'
import { approve, reject, remove, restore } from './server-decide.ts'
import { addExisting, setType } from './server-existing.ts'
import { checkName } from './server-name.ts'
import { details, list, ofShop } from './server-rows.ts'
import { save, submit } from './server-save.ts'

export const applicationsRouter = serve(contract, {
  ...{ list, details, find: findByAccount, ofShop, categories: listCategories, checkName, save, submit },
  ...{ addExisting, setType, approve, reject, remove, restore },
})
