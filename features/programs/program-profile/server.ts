import { listCategories } from '#features/programs/program-categories/server.ts'
import { serve } from '#server/serve.ts'
import { programProfile as contract } from './contract.ts'
import { look, removeCategory, setCategory, setHeadImage, setIntro, setName } from './server-ask.ts'
import { checkName, details } from './server-rows.ts'

export const profileRouter = serve(contract, {
  ...{
    details,
    categories: listCategories,
    checkName,
    look,
    setName,
    setHeadImage,
    setIntro,
    setCategory,
    removeCategory,
  },
})
