import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { MerchantDetails } from './MerchantDetails.tsx'

/** The details over the list they were opened from. */
export default function MerchantDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Drawer title="商户详情" onClose={onClose}>
      <DrawerBody>
        <MerchantDetails key={id} id={id} />
      </DrawerBody>
    </Drawer>
  )
}
