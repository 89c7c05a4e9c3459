import { Button, type ButtonProps } from '../base/button.tsx';

interface ToggleChipProps extends Pick<ButtonProps, 'icon' | 'children'> {
  isOn: boolean;
  onToggle: () => void;
}

/** A filter that is on or off. */
export const ToggleChip = ({ isOn, onToggle, ...rest }: ToggleChipProps) => (
  <Button className={isOn ? 'chip is-on' : 'chip'} aria-pressed={isOn} onClick={onToggle} {...rest} />
);
