; scss
