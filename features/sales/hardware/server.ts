import { serve } from '#server/serve.ts'
import { hardware as contract } from './contract.ts'
import { listOrders } from './server-list.ts'
import { placeOrder, readCart, setCartLine } from './server-order.ts'
import { addProduct, adjustStock, editProduct, listCatalogue, listProducts } from './server-products.ts'
import { cancel, complete, receive, returnOrder, ship } from './server-steps.ts'

export const hardwareRouter = serve(contract, {
  products: listProducts,
  cart: readCart,
  setCartLine,
  order: placeOrder,
  orders: listOrders,
  ship,
  receive,
  cancel,
  returnOrder,
  complete,
  catalogue: listCatalogue,
  addProduct,
  editProduct,
  adjustStock,
})
