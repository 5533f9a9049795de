; make
