import Chip from '@mui/material/Chip';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import CloseIcon from '@mui/icons-material/CloseOutlined';
import { useId, useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { labelsOf, type Case } from './case.ts';

const chip = { component: 'button', type: 'button', size: 'small', clickable: true } as const;

interface LabelFilterProps {
  /** The chosen label; empty for none. */
  label: string;
  choose: (label: string) => void;
  /** The listed cases: their labels are offered. */
  cases: Case[];
}

/** The chosen label, which a click removes, or a menu of labels. */
export function LabelFilter({ label, choose, cases }: LabelFilterProps) {
  const t = useText();
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const offered = labelsOf(cases);
  if (label !== '') {
    const name = t('resources.support.label.chosen', { label });
    return <Chip {...chip} aria-pressed color="primary" icon={<CloseIcon />} label={name} onClick={() => choose('')} />;
  }
  if (offered.length === 0) return null;
  const name = t('resources.support.label.choose');
  const take = (one: string) => {
    setAnchor(undefined);
    choose(one);
  };
  return (
    <>
      <Chip
        {...chip}
        id={id}
        variant="outlined"
        aria-haspopup="menu"
        label={name}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu
        open={anchor !== undefined}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
        slotProps={{ paper: { role: 'region', 'aria-label': name }, list: { 'aria-labelledby': id } }}
      >
        {offered.map((one) => (
          <MenuItem key={one} onClick={() => take(one)} dir="auto">
            {one}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
