import { registerShop } from '#features/sales/selling/server-trial.ts'
import { setContact } from '#features/shops/merchants/server-edit.ts'
import { serve } from '#server/serve.ts'
import { pos as contract } from './contract-pos.ts'
import { listChoices, listDistricts } from './server-choices.ts'
import { listTemplates, sendMessages } from './server-messages.ts'
import { findShop, listShops, readSecrets, showShop } from './server-shops.ts'
import { checkSignIn } from './server-sign-in.ts'

export const posRouter = serve(contract, {
  choices: listChoices,
  districts: listDistricts,
  shops: listShops,
  findShop,
  shop: showShop,
  paymentSecrets: readSecrets,
  signIn: checkSignIn,
  register: registerShop,
  setContact,
  messageTemplates: listTemplates,
  sendMessages,
})
