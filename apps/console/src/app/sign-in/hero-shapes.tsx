import './hero-shapes.css';

/** Outlines of the phone and the card of the landing page: only these are visible behind the sign-in's overlay. */
export function HeroShapes() {
  return (
    <div className="hero-pictures" aria-hidden="true">
      <div className="hero-phone">
        <div className="shape-phone">
          <i />
        </div>
      </div>
      <div className="hero-card shape-card">
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
