import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import ShopDocuments from './ShopDocuments.tsx'

/** The papers of the shop over the inbox: the one that ends is replaced there. Those of disabled shops are not in it. */
export default function InboxDesk({ item: { merchantId, about }, onClose }: InboxDeskProps) {
  if (merchantId === null) return null
  return (
    <Drawer title={about} onClose={onClose}>
      <DrawerBody>
        <ShopDocuments merchant={{ id: merchantId, shopName: about, status: 'normal' }} />
      </DrawerBody>
    </Drawer>
  )
}
