import { serve } from '#server/serve.ts'
import { shopPages as contract } from './contract.ts'
import { readAccount, sendShopCode, signInShop, signOutShop } from './server-guests.ts'
import { makeLink, readLink, renewLink } from './server-links.ts'
import { readOffer, setOffer } from './server-offer.ts'
import { orderRenewal, readRenewal } from './server-orders.ts'
import { readPage } from './server-page.ts'
import { listRenewals, refundRenewal, retryRenewal } from './server-renewals.ts'
import { publishPage, readSettings, restorePage, saveDraft } from './server-settings.ts'

export const shopPagesRouter = serve(contract, {
  settings: readSettings,
  saveDraft,
  publish: publishPage,
  restore: restorePage,
  offer: readOffer,
  setOffer,
  link: readLink,
  makeLink,
  renewLink,
  renewals: listRenewals,
  retry: retryRenewal,
  refund: refundRenewal,
  page: readPage,
  sendCode: sendShopCode,
  signIn: signInShop,
  signOut: signOutShop,
  account: readAccount,
  renew: orderRenewal,
  renewal: readRenewal,
})
